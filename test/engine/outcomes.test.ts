import { expect, test } from "vitest";
import type { Outcome } from "../rig/engine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";
import { handled, runBlocks, withUse } from "./run-blocks.ts";

test("a run is a success when everything went well or was skipped by its condition", async () => {
  const { state, response } = await runBlocks([ending("a", "succeed"), step("b", { condition: "false" })]);
  expect(state.finished).toMatchObject({ status: "completed", outcome: "success", message: null });
  expect(response.status).toBe("success");
});

test("a run in which a block could not run is failed, whatever else happened", async () => {
  const { state } = await runBlocks([ending("a", "crash"), ending("b", "fail"), ending("c", "succeed")]);
  expect(state.finished).toMatchObject({ status: "failed", outcome: "n/a", message: "'a' could not run: it broke" });
});

test("a run in which an operation failed and nobody dealt with it is completed with failure", async () => {
  const { state, response } = await runBlocks([ending("a", "fail"), ending("b", "fail"), ending("c", "succeed")]);
  expect(state.finished).toMatchObject({
    status: "completed",
    outcome: "failure",
    message: "'a' failed (and 1 more): it went wrong",
  });
  expect(response.failed_blocks?.map(({ block }) => block)).toEqual(["a", "b"]);
});

test("a crash is not handled by anything", async () => {
  const { state } = await runBlocks([
    ending("a", "crash"),
    ending("notify", "succeed", { depends_on: ["a"], condition: "${blocks.a.failed}" }),
  ]);
  expect(state.root.record.blocks.notify?.metadata.outcome).toBe("success");
  expect(state.finished?.status).toBe("failed");
});

test("an edge with required: false only orders; it never handles", async () => {
  const { response } = await runBlocks([
    ending("build", "fail"),
    ending("lint", "fail"),
    ending("summary", "succeed", {
      depends_on: [
        { block: "build", required: false },
        { block: "lint", required: false },
      ],
    }),
  ]);
  expect(response).toMatchObject({ status: "failure", error: "'build' failed (and 1 more): it went wrong" });
  expect(response.handled_failures).toBeUndefined();
});

test.each([
  "${blocks.a.failed}",
  "not ${blocks.a.succeeded}",
  "${blocks.a.code} != 0",
  "${blocks.a.status} == 'completed' and ${blocks.a.outcome} == 'failure'",
  "${blocks.a.error} != null",
  "${blocks.a.metadata.failed}",
])("a fallback that something uses answers the failure; a notification does not: %s", async (condition) => {
  const blocks = [ending("a", "fail"), ending("other", "succeed", { depends_on: ["a"], condition })];
  const fallback = await runBlocks(withUse("other", ...blocks));
  expect(fallback.response.status).toBe("success");
  expect(handled(fallback.response)).toEqual({ a: ["other"] });
  const notification = await runBlocks(blocks);
  expect(notification.response.handled_failures).toBeUndefined();
  expect(notification.response).toMatchObject({
    status: "failure",
    error:
      "'a' failed: it went wrong\n'a' failed and still counts: 'other' ran because of it, but nothing uses what it made. (If 'a' may fail: `allow_failure: true` on it.)",
  });
});

test("a workflow output that reads what a fallback made uses it; one that reads how it went does not", async () => {
  const outcomeWith = async (output: string): Promise<Outcome> =>
    createStepEngine().engine.run({
      blocks: [ending("a", "fail"), giving("b", 7, { depends_on: ["a"], condition: "${blocks.a.failed}" })],
      outputs: { output },
    });
  for (const used of ["${blocks.b.value}", "${blocks.b.outputs.value} == 7", "got ${default(blocks.b.value, 0)}"]) {
    expect((await outcomeWith(used)).response, used).toMatchObject({
      status: "success",
      handled_failures: [{ block: "a", handled_by: ["b"], message: "it went wrong" }],
    });
  }
  for (const state of ["${blocks.b.succeeded}", "${blocks.b.status} == 'completed'", "${blocks.b.metadata.message}"]) {
    expect((await outcomeWith(state)).response.status, state).toBe("failure");
  }
});

test("a merge that runs after either branch uses the fallback", async () => {
  const either = [
    { block: "lamp", required: false },
    { block: "candles", required: false },
  ];
  const { response } = await runBlocks([
    ending("lamp", "fail"),
    ending("candles", "succeed", { depends_on: ["lamp"], condition: "${blocks.lamp.failed}" }),
    ending("dinner", "succeed", { depends_on: either }),
  ]);
  expect(response.status).toBe("success");
  expect(handled(response)).toEqual({ lamp: ["candles"] });
});

test("a summary that tells of the failure does not use the notification that it waits for", async () => {
  const { response } = await runBlocks([
    ending("build", "fail"),
    ending("alert", "succeed", { depends_on: ["build"], condition: "${blocks.build.failed}" }),
    giving("summary", "build: ${blocks.build.outcome}", {
      depends_on: [
        { block: "build", required: false },
        { block: "alert", required: false },
      ],
    }),
  ]);
  expect(response.status).toBe("failure");
  expect(response.error).toContain("'alert' ran because of it, but 'summary' would have run without it too.");
});

test("a fallback whose user did not run is not used", async () => {
  const { response } = await runBlocks([
    ending("a", "fail"),
    ending("b", "succeed", { depends_on: ["a"], condition: "${blocks.a.failed}" }),
    ending("c", "succeed", { depends_on: ["b"], condition: "false" }),
  ]);
  expect(response.status).toBe("failure");
});

test("a block with allow_failure may fail or run out of time: its failure is an answer", async () => {
  const { response } = await runBlocks([ending("probe", "fail", { allow_failure: true }), ending("b", "succeed")]);
  expect(response).toMatchObject({
    status: "success",
    handled_failures: [{ block: "probe", handled_by: [], message: "it went wrong" }],
  });
  expect(response.failed_blocks).toBeUndefined();
  const required = await runBlocks([
    ending("probe", "fail", { allow_failure: true }),
    ending("b", "succeed", { depends_on: ["probe"] }),
    ending("c", "succeed", { depends_on: [{ block: "probe", required: false }] }),
  ]);
  const { b, c } = required.state.root.record.blocks;
  expect([b?.metadata.status, c?.metadata.status]).toEqual(["skipped", "completed"]);
  expect(required.response.status).toBe("success");
});

test("allow_failure covers no crash, at any depth", async () => {
  const { response } = await runBlocks([ending("probe", "crash", { allow_failure: true })]);
  expect(response).toMatchObject({ status: "failure", error: "'probe' could not run: it broke" });
  const child = { blocks: [ending("x", "fail"), ending("y", "crash")] };
  const nested = await runBlocks([call("d", "child", {}, { allow_failure: true })], { child });
  expect(nested.response.status).toBe("failure");
});

test("allow_failure does not cover a loop or a nested workflow that can't be judged, whatever failed inside it", async () => {
  const child = { blocks: [ending("x", "fail", { allow_failure: true })] };
  const { response } = await runBlocks(
    [
      ending("poll", "fail", { allow_failure: true, repeat: { max: 3, until: "${this.value}" } }),
      call("nested", "child", {}, { allow_failure: true, expect: { condition: "${this.blocks.x.value}" } }),
    ],
    { child },
  );
  expect(response.status).toBe("failure");
  expect(response.failed_blocks?.map(({ block }) => block)).toEqual(["poll", "nested"]);
});

test("allow_failure on a loop or a nested workflow is for the whole of it", async () => {
  const child = { blocks: [ending("x", "fail"), ending("y", "succeed")] };
  const { response } = await runBlocks(
    [
      ending("loop", "fail", { for_each: [1, 2], allow_failure: true }),
      call("nested", "child", {}, { allow_failure: true }),
    ],
    { child },
  );
  expect(response.status).toBe("success");
  expect(handled(response)).toEqual({ loop: [], nested: [] });
});

test("a deploy gate that was skipped handles nothing", async () => {
  const { response } = await runBlocks([
    ending("a", "fail"),
    ending("deploy", "succeed", { depends_on: ["a"], condition: "${blocks.a.succeeded}" }),
  ]);
  expect(response.status).toBe("failure");
  expect(response.handled_failures).toBeUndefined();
});

test("a cleanup that runs either way handles nothing", async () => {
  const { response } = await runBlocks([
    ending("a", "fail"),
    ending("cleanup", "succeed", { depends_on: ["a"], condition: "${blocks.a.failed} or ${blocks.a.succeeded}" }),
  ]);
  expect(response.blocks?.cleanup?.metadata.outcome).toBe("success");
  expect(response.status).toBe("failure");
});

test("two failures that one condition asks for with or are both handled", async () => {
  const blocks = (condition: string): object[] =>
    withUse(
      "notify",
      ending("a", "fail"),
      ending("b", "fail"),
      ending("notify", "succeed", { depends_on: ["a", "b"], condition }),
    );
  const either = await runBlocks(blocks("${blocks.a.failed} or ${blocks.b.failed}"));
  expect(handled(either.response)).toEqual({ a: ["notify"], b: ["notify"] });
  const both = await runBlocks(blocks("${blocks.a.failed} and ${blocks.b.failed}"));
  expect(handled(both.response)).toEqual({ a: ["notify"], b: ["notify"] });
});

test("a failure further up is handled by who asks for it, though another block stands between", async () => {
  const { response } = await runBlocks(
    withUse(
      "notify",
      ending("a", "fail"),
      step("b", { depends_on: ["a"] }),
      ending("notify", "succeed", {
        depends_on: [{ block: "b", required: false }],
        condition: "${blocks.a.failed}",
      }),
    ),
  );
  expect(response.status).toBe("success");
  expect(handled(response)).toEqual({ a: ["notify"] });
});

test("of two failures only the one the condition turns on is handled", async () => {
  const { response } = await runBlocks(
    withUse(
      "notify",
      ending("a", "fail"),
      ending("b", "fail"),
      ending("notify", "succeed", {
        depends_on: ["a", "b"],
        condition: "${blocks.a.failed} and (${blocks.b.failed} or ${blocks.b.succeeded})",
      }),
    ),
  );
  expect(handled(response)).toEqual({ a: ["notify"] });
  expect(response).toMatchObject({ status: "failure", error: "'b' failed: it went wrong" });
});

test("a handler that could not run itself handles nothing", async () => {
  const { response } = await runBlocks([
    ending("a", "fail"),
    ending("notify", "crash", { depends_on: ["a"], condition: "${blocks.a.failed}" }),
  ]);
  expect(response).toMatchObject({ status: "failure", error: "'notify' could not run: it broke" });
  expect(response.handled_failures).toBeUndefined();
});

test("a fallback whose own operation fails has answered the other failure, and is itself one", async () => {
  const { response } = await runBlocks([
    ending("a", "fail"),
    ending("notify", "fail", { depends_on: ["a"], condition: "${blocks.a.failed}" }),
    ending("use", "succeed", { depends_on: [{ block: "notify", required: false }] }),
  ]);
  expect(handled(response)).toEqual({ a: ["notify"] });
  expect(response).toMatchObject({ status: "failure", error: "'notify' failed: it went wrong" });
});

test("a fallback that was allowed to fail, and did, answers nothing; one for which there is another does", async () => {
  const blocks = [
    ending("a", "fail"),
    ending("b", "fail", { depends_on: ["a"], condition: "${blocks.a.failed}", allow_failure: true }),
  ];
  const merge = ending("use", "succeed", { depends_on: [{ block: "b", required: false }] });
  const { response } = await runBlocks([...blocks, merge]);
  expect(response).toMatchObject({ status: "failure", handled_failures: [{ block: "b", handled_by: [] }] });
  const third = ending("c", "succeed", { depends_on: ["b"], condition: "${blocks.b.failed}" });
  const chain = await runBlocks(withUse("c", ...blocks, third));
  expect(chain.response.status).toBe("success");
});
