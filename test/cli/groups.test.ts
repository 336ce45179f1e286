import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const text = workflow("grouped", [
  shell("before", "printf 1"),
  {
    id: "each_package",
    description: "One package",
    for_each: ["leaf", "stem"],
    depends_on: ["before"],
    blocks: [
      shell("build", 'echo "building ${each.value}"'),
      {
        id: "checks",
        depends_on: ["build"],
        blocks: [shell("lint", "true"), shell("notes", "true", { condition: "${blocks.before.failed}" })],
      },
    ],
    outputs: { built: "${blocks.build.succeeded}" },
  },
  shell("after", "true", { depends_on: ["each_package"] }),
]);

test("graph draws a group around what it holds", async () => {
  const frond = createFrond({ "grouped.yaml": text });
  const { stdout } = await frond.run(["graph", "grouped.yaml"]);
  expect(stdout.split("\n")).toEqual([
    "flowchart TD",
    '  b0["before<br/><small>Shell</small>"]',
    '  subgraph b1["each_package (for each)"]',
    '    b1_0["build<br/><small>Shell</small>"]',
    '    subgraph b1_1["checks"]',
    '      b1_1_0["lint<br/><small>Shell</small>"]',
    '      b1_1_1["notes<br/><small>Shell</small>"]',
    "    end",
    "  end",
    '  b2["after<br/><small>Shell</small>"]',
    '  b0 -. "a condition inside" .-> b1',
    "  b1_0 --> b1_1",
    "  b1 --> b2",
    "",
  ]);
});

test("info and validate look into groups", async () => {
  const frond = createFrond({ "grouped.yaml": text });
  const { stdout } = await frond.run(["info", "grouped.yaml"]);
  expect(stdout).toContain(
    "  each_package group for each after before?  One package\n    build Shell\n    checks group after build\n",
  );
  frond.write("last.yaml", workflow("last", [shell("a", "true")], { finally: [shell("tidy", "true")] }));
  expect((await frond.run(["info", "last.yaml"])).stdout).toContain("  tidy Shell finally\n");
  const info = await frond.json(["info", "grouped.yaml"]);
  expect(info.reply).toMatchObject({
    blocks: [
      { id: "before" },
      {
        id: "each_package",
        type: "group",
        for_each: true,
        blocks: [{ id: "build" }, { id: "checks", blocks: [{ id: "lint" }, { id: "notes" }] }],
      },
      { id: "after" },
    ],
    capabilities: expect.arrayContaining(["commands"]),
  });
  const validated = await frond.json(["validate", "grouped.yaml"]);
  expect(validated.reply).toMatchObject({ valid: true, files: [{ block_types_used: ["Shell"] }] });
  const broken = workflow("broken", [{ id: "g", blocks: [shell("b", "if")] }]);
  frond.write("broken.yaml", broken);
  expect((await frond.run(["validate", "broken.yaml"])).code).toBe(2);
});

test("run, show and logs name what is in a group by its address", async () => {
  const frond = createFrond({ "grouped.yaml": text });
  const ran = await frond.json(["run", "grouped.yaml"]);
  const { run_id: runId, status } = ran.reply as { run_id: string; status: string };
  expect(status).toBe("success");
  const logs = await frond.run(["logs", runId, "each_package/1/build"]);
  expect(logs.stdout).toContain("building stem");
  const shown = await frond.run(["show", runId]);
  expect(shown.stdout).toMatch(/each_package[\s\S]+stem[\s\S]+checks[\s\S]+lint/);
  const block = await frond.json(["show", runId, "each_package/1"]);
  expect(block.reply).toMatchObject({
    outputs: { built: true },
    blocks: {
      build: { outputs: { stdout: "building stem\n" } },
      checks: { blocks: { notes: { metadata: { status: "skipped" } } } },
    },
  });
});
