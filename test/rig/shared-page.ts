import { afterAll, beforeAll } from "vitest";
import { createFrond, type Frond } from "./frond.ts";
import { type HttpDoor, openHttpDoor } from "./http-door.ts";

/** A project with workflows that are trusted, and a server of it. */
export interface SharedPage {
  readonly frond: Frond;
  readonly door: HttpDoor;
  /** Runs a workflow to its end, or until it asks, and gives the run's id. */
  run(name: string): Promise<string>;
  /** Has the server start it. */
  begin(name: string): Promise<string>;
}

/** One server for all tests of a file: each workflow is given by its name. */
export function openSharedPage(workflows: Readonly<Record<string, string>>): () => SharedPage {
  const ends: (() => void | Promise<void>)[] = [];
  let page: SharedPage | undefined;
  beforeAll(async () => {
    const frond = createFrond(
      Object.fromEntries(Object.entries(workflows).map(([name, text]) => [fileOf(name), text])),
      (end) => ends.push(end),
    );
    await frond.run(["trust"]);
    const door = await openHttpDoor(frond);
    page = {
      frond,
      door,
      async run(name) {
        const { reply } = await frond.json(["run", fileOf(name)]);
        return (reply as { readonly run_id: string }).run_id;
      },
      async begin(name) {
        const headers = { "content-type": "application/json", "x-frond": "1" };
        const body = JSON.stringify({ workflow: name });
        const answer = await door.send({ method: "POST", headers, body }, "/api/runs");
        return ((await answer.json()) as { readonly run_id: string }).run_id;
      },
    };
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () => {
    if (page === undefined) throw new Error("The server is there only while tests run.");
    return page;
  };
}

function fileOf(name: string): string {
  return `.frond/workflows/${name}.yaml`;
}
