import { expect, test } from "vitest";
import { createFrond, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";

const write = (id: string, path: string, content: string): object => ({
  id,
  type: "CreateFile",
  inputs: { path, content },
});

test("what a run changed is told with diffs, of one block or of all, and long diffs are cut with a word", async () => {
  const frond = createFrond({
    "flow.yaml": workflow("flow", [
      write("small", "small.txt", "one\ntwo\n"),
      write("large", "large.txt", "line\n".repeat(8_000)),
    ]),
  });
  const door = await openHttpDoor(frond);
  const { run_id: runId } = (await frond.json(["run", "flow.yaml"])).reply as { run_id: string };
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  const get = async (address: string): Promise<any> =>
    (await door.send({}, `/api/runs/${runId}/changes${address}`)).json();
  expect(await get("/small")).toMatchObject({
    block: "small",
    changes: [{ path: "small.txt", change: "created", diff: expect.stringContaining("+one\n+two\n"), lines_added: 2 }],
  });
  const { changes } = await get("");
  expect(changes.map(({ path }: { path: string }) => path)).toEqual(["large.txt", "small.txt"]);
  const [large] = changes;
  expect(large.diff.split("\n")).toHaveLength(5_001);
  expect([large.lines_added, large.diff_left_out]).toEqual([8_000, 3_003]);
  expect((await door.send({}, `/api/runs/${runId}/changes/nobody`)).status).toBe(404);
  expect((await door.send({}, "/api/runs/run_gone/changes")).status).toBe(404);
});
