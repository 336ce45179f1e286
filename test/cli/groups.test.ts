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
    '  before["before<br/>Shell"]',
    '  subgraph each_package["each_package<br/>group<br/>for each of [ #quot;leaf#quot;, #quot;stem#quot; ]"]',
    '    each_package__build["build<br/>Shell"]',
    '    subgraph each_package__checks["checks<br/>group"]',
    '      each_package__checks__lint["lint<br/>Shell"]',
    '      each_package__checks__notes["notes<br/>Shell<br/>if blocks.before.failed"]',
    "    end",
    "  end",
    '  after["after<br/>Shell"]',
    "  before -. condition inside .-> each_package",
    "  each_package --> after",
    "  each_package__build --> each_package__checks",
    "",
  ]);
});

test("info and validate look into groups", async () => {
  const frond = createFrond({ "grouped.yaml": text });
  const { stdout } = await frond.run(["info", "grouped.yaml"]);
  expect(stdout).toContain(
    "  each_package  group for each after before?  One package\n    build       Shell\n    checks      group after build\n",
  );
  frond.write("last.yaml", workflow("last", [shell("a", "true")], { finally: [shell("tidy", "true")] }));
  expect((await frond.run(["info", "last.yaml"])).stdout).toMatch(/^ {2}tidy +Shell finally$/m);
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
  const shown = await frond.run(["show", runId, "each_package"]);
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
