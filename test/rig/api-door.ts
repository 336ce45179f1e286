import type { RunLine } from "../../src/views/page/page-records.ts";
import type { Frond } from "./frond.ts";
import { openHttpDoor, pageLink } from "./http-door.ts";
import { waitFor } from "./wait-for.ts";

/** An answer of the API. */
export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly data: any;
}

/** The API of a real server, as somebody asks it. */
export interface ApiClient {
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body?: object): Promise<ApiAnswer>;
}

export interface ApiDoor {
  /** A browser that has opened the link. */
  readonly page: ApiClient;
  /** A program that has the token. */
  readonly program: ApiClient;
}

export async function openApiDoor(frond: Frond, args: readonly string[] = []): Promise<ApiDoor> {
  const door = await openHttpDoor(frond, args);
  const opened = await fetch(await pageLink(door));
  await opened.text();
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const client = (headers: Readonly<Record<string, string>>): ApiClient => {
    const ask = async (path: string, request: RequestInit): Promise<ApiAnswer> => {
      const response = await fetch(new URL(`/api${path}`, door.url), request);
      return { status: response.status, data: await response.json() };
    };
    const sent = { ...headers, "content-type": "application/json", "x-frond": "1" };
    return {
      get: (path) => ask(path, { headers }),
      post: (path, body = {}) => ask(path, { method: "POST", headers: sent, body: JSON.stringify(body) }),
    };
  };
  return { page: client({ cookie }), program: client({ authorization: `Bearer ${door.token}` }) };
}

/** Waits until a run stands so, and gives its line. */
export async function untilStands(client: ApiClient, runId: string, standing: string): Promise<RunLine> {
  let line: RunLine | undefined;
  await waitFor(`${runId} to be ${standing}`, async () => {
    const { data } = await client.get("/runs");
    line = (data.runs as RunLine[]).find((run) => run.run_id === runId);
    return line?.standing === standing;
  });
  if (line === undefined) throw new Error(`There is no run ${runId}.`);
  return line;
}
