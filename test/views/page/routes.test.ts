import { expect, onTestFinished, test } from "vitest";
import { createCatalog } from "../../../src/block/catalog.ts";
import { apiRoutes } from "../../../src/http/api/index.ts";
import { apiAt } from "../../../src/http/api-endpoint.ts";
import type { PageContext } from "../../../src/http/page-context.ts";
import { createLog } from "../../../src/platform/files/create-log.ts";
import { LevelFeeds } from "../../../src/views/page/level-feed.ts";
import { RunPictures } from "../../../src/views/page/run-pictures.ts";
import type { TestEngine } from "../../rig/engine.ts";
import { createStepEngine, ending, giving, step } from "../../rig/step-engine.ts";

/** The API over an engine of the test, without a network. */
function openApi({ engine, workspace }: TestEngine, roots: readonly string[] = [workspace]) {
  const log = createLog(process.stderr, "error");
  const { platform, workflows } = engine;
  const pictures = new RunPictures(platform, workflows.catalog);
  const levels = new LevelFeeds(platform, pictures, log);
  const settings = { workspace, roots, isReadOnly: true };
  const context = { platform, settings, catalog: createCatalog([]), log, pictures, levels } as unknown as PageContext;
  const api = apiAt("/api", apiRoutes, () => undefined, context);
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    api.fetch(new Request(`http://localhost/api${path}`, { headers }), ended.signal);
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  const get = async (path: string): Promise<any> => (await ask(path)).json();
  return { ask, get, levels, ended };
}

interface SentEvent {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly data: any;
}

/** Events of a stream, as the browser takes them apart. */
async function* eventsOf(response: Response): AsyncGenerator<SentEvent> {
  let text = "";
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      text = text.slice(end + 2);
      if (fields.data !== undefined) {
        yield { event: fields.event ?? "", id: fields.id, data: JSON.parse(fields.data) };
      }
    }
  }
}

test("The API gives a run, its levels, passes, blocks and whole values", async () => {
  const { engine } = createStepEngine();
  const long = "x".repeat(5000);
  const { state } = await engine.run({
    blocks: [
      giving("long", long),
      { id: "loop", for_each: ["a", "b/c", "d"], blocks: [ending("check", "succeed")], depends_on: ["long"] },
      { id: "broken", for_each: [1, 2], type: "Step", inputs: { ends: "fail" } },
    ],
  });
  const { runId } = state.started;
  const { get, ask } = openApi(engine);
  const run = await get(`/runs/${runId}`);
  expect(run.blocks.map(({ address }: { address: string }) => address)).toEqual(["long", "loop", "broken"]);
  expect(await get(`/runs/${runId}/level/`)).toEqual(run);
  const pass = await get(`/runs/${runId}/level/loop/1`);
  expect(pass.crumbs.map(({ name }: { name: string }) => name)).toEqual(["test", "loop", "1"]);
  expect(pass.of.element).toBe("b/c");
  const passes = await get(`/runs/${runId}/passes/loop?offset=1&limit=1`);
  expect(passes).toMatchObject({ total: 3, blocks: [{ address: "loop/1" }] });
  expect(await get(`/runs/${runId}/passes/broken?standing=done`)).toEqual({ blocks: [], total: 0 });
  expect((await get(`/runs/${runId}/passes/broken?standing=failed,crashed`)).total).toBe(2);
  const block = await get(`/runs/${runId}/blocks/long`);
  expect(block.outputs[0]).toEqual({ name: "value", text: long.slice(0, 2000), length: 5000 });
  expect(block.holds_up).toEqual([]);
  expect(await get(`/runs/${runId}/value/long?field=outputs.value&attempt=1`)).toEqual({ text: long });
  for (const [path, status] of [
    [`/runs/${runId}/level/nothing`, 404],
    [`/runs/${runId}/blocks/long@7`, 404],
    [`/runs/${runId}/blocks/`, 404],
    [`/runs/${runId}/value/long?field=outputs.other`, 422],
    [`/runs/run_nothing/level/`, 404],
    [`/runs/${runId}/passes/long`, 422],
    [`/runs/${runId}/passes/loop?standing=well`, 422],
  ] as const) {
    expect((await ask(path)).status, path).toBe(status);
  }
});

test("A run outside of the server's roots is out of reach", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({ blocks: [ending("one", "succeed")] });
  const { ask } = openApi(engine, ["/elsewhere"]);
  for (const part of ["", "/level/one", "/events/", "/blocks/one", "/passes/one", "/value/one?field=inputs.ends"]) {
    expect((await ask(`/runs/${state.started.runId}${part}`)).status, part).toBe(403);
  }
});

test("A stream begins with the level, goes on with changes, and goes on where it was left", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({ blocks: [step("one"), step("two")] });
  await run.idle();
  const { ask, levels, ended } = openApi(engine);
  const stream = await ask(`/runs/${run.runId}/events/`);
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  const events = eventsOf(stream);
  const first = (await events.next()).value as SentEvent;
  expect(first).toMatchObject({ event: "level", data: { head: { standing: "running" } } });
  steps.succeed("one");
  const second = (await events.next()).value as SentEvent;
  expect(second).toMatchObject({ event: "change", data: { blocks: [{ address: "one", standing: "done" }] } });
  expect(Number(second.id)).toBeGreaterThan(Number(first.id));
  expect(levels.watched).toBe(1);
  const again = eventsOf(await ask(`/runs/${run.runId}/events/`, { "last-event-id": second.id ?? "" }));
  const third = (await again.next()).value as SentEvent;
  expect(third).toMatchObject({ event: "change", data: { blocks: [{ address: "two", standing: "running" }] } });
  ended.abort();
  await expect.poll(() => levels.watched).toBe(0);
  steps.succeed("two");
  await run.settled;
});
