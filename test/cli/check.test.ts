import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const good = workflow("good", [shell("one", "true"), shell("two", "true", { depends_on: ["one"] })]);
const warned = workflow("warned", [shell("one", "true")], { inputs: { x: { type: "string", default: "" } } });

test("validate tells what is sound, in text and as JSON", async () => {
  const frond = createFrond({ "good.yaml": good });
  expect(await frond.run(["validate", "good.yaml"])).toEqual({
    code: 0,
    stdout: "ok good.yaml (2 blocks, 2 waves); undo: 2 irreversible (one, two)\n",
    stderr: "",
  });
  expect(await frond.json(["validate", "good.yaml"])).toEqual({
    code: 0,
    reply: {
      valid: true,
      files: [
        {
          file: "good.yaml",
          valid: true,
          workflow: "good",
          block_types_used: ["Shell"],
          capabilities: ["commands", "network", "reads files", "writes files"],
          undo: {
            blocks: { irreversible: 2 },
            irreversible: [
              {
                blocks: ["one", "two"],
                why: "nothing looks at what its command does",
                fix: "Write `effects: observe`, which finds the files that it changes, or add `undo:`.",
              },
            ],
          },
          execution_waves: [["one"], ["two"]],
          errors: [],
          warnings: [],
          hints: [],
        },
      ],
    },
  });
});

test("validate looks at the workflows and tests below a directory, and at no other YAML", async () => {
  const frond = createFrond({
    "good.yaml": good,
    "inner/flat.yaml": "name: flat\ndescription: Flat\nblocks: [{ id: a, type: Shel }]\n",
    "inner/good.test.yaml": "workflow: ../good.yaml\ncases: [{ name: works }]\n",
    "compose.yaml": "services: { web: { image: nginx } }\n",
    "node_modules/other/its.yaml": "name: its\nblocks: 5\n",
  });
  const { code, stdout } = await frond.run(["validate", "."]);
  expect(code).toBe(2);
  expect(stdout).toBe(
    "ok good.yaml (2 blocks, 2 waves); undo: 2 irreversible (one, two)\ninvalid inner/flat.yaml: 1 error\nok inner/good.test.yaml (1 case)\n",
  );
  expect(await frond.run(["validate", "node_modules"])).toMatchObject({ code: 2 });
  frond.write("none/readme.md", "");
  expect((await frond.run(["validate", "none"])).stderr).toContain(
    "There are no workflow files in 'none'. [no-workflows]",
  );
});

test("validate looks at every file, and one that is broken makes exit code 2", async () => {
  const frond = createFrond({ "good.yaml": good, "bad.yaml": workflow("bad", [{ id: "a", type: "Shel" }]) });
  const { code, stdout, stderr } = await frond.run(["validate", "bad.yaml", "missing.yaml", "good.yaml"]);
  expect(code).toBe(2);
  expect(stdout).toBe(
    "invalid bad.yaml: 1 error\ninvalid missing.yaml: 1 error\nok good.yaml (2 blocks, 2 waves); undo: 2 irreversible (one, two)\n",
  );
  expect(stderr).toMatch(
    /^bad\.yaml:\d+:\d+: error: block 'a': There is no block type 'Shel'\. \[unknown-block-type\]/,
  );
  expect(stderr).toContain("error: There is no file 'missing.yaml'. [no-such-file]");
  const { code: jsonCode, reply } = await frond.json(["validate", "missing.yaml", "good.yaml"]);
  expect(jsonCode).toBe(2);
  expect(reply).toEqual({
    valid: false,
    files: [
      {
        file: "missing.yaml",
        valid: false,
        errors: [
          {
            code: "no-such-file",
            level: "error",
            message: "There is no file 'missing.yaml'.",
            fix: expect.any(String),
          },
        ],
        warnings: [],
        hints: [],
      },
      expect.objectContaining({ file: "good.yaml", valid: true }),
    ],
  });
});

test("warnings are errors with --strict only", async () => {
  const frond = createFrond({ "warned.yaml": warned });
  expect((await frond.run(["validate", "warned.yaml"])).code).toBe(0);
  const strict = await frond.run(["validate", "warned.yaml", "--strict"]);
  expect(strict.code).toBe(2);
  expect(strict.stdout).toBe("invalid warned.yaml (1 block, 1 wave): 1 warning; undo: 1 irreversible (one)\n");
});

test("schema is the JSON Schema of workflow files, or of one block type", async () => {
  const frond = createFrond();
  const whole = await frond.json(["schema"]);
  expect(whole.code).toBe(0);
  expect(whole.reply).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    required: ["name", "description", "blocks"],
    additionalProperties: false,
  });
  expect((await frond.run(["schema"])).stdout).toBe(`${JSON.stringify(whole.reply, null, 2)}\n`);
  expect((await frond.json(["schema", "Shell"])).reply).toMatchObject({
    title: "Shell",
    properties: { inputs: { properties: { command: { type: "string" } } } },
  });
});

test("docs cli describes every command, option, exit code and variable, and is hidden", async () => {
  const frond = createFrond();
  const { code, stdout } = await frond.run(["docs", "cli"]);
  expect(code).toBe(0);
  for (const command of ["run", "validate", "list", "info", "graph", "schema", "trust"]) {
    expect(stdout).toContain(`\n## frond ${command}\n`);
  }
  expect(stdout).toContain("| `-i, --input <name=value>` | ");
  for (const exitCode of [0, 1, 2, 3, 130]) expect(stdout).toContain(`\n| ${exitCode} | `);
  for (const variable of [
    "FROND_STATE_DIR",
    "FROND_MAX_PROCESSES",
    "FROND_SLOTS",
    "FROND_MAX_DEPTH",
    "WORKFLOWS_TEMPLATE_PATHS",
  ]) {
    expect(stdout).toContain(`| \`${variable}\` | `);
  }
  const help = await frond.run(["--help"]);
  expect(help.code).toBe(0);
  expect(help.stdout).not.toContain("docs");
  expect(help.stdout).toContain(
    "Exit codes: 0 success, 1 failure, 2 invalid input or definition, 3 paused, 4 no longer watched, 129 terminal closed, 130 cancelled.",
  );
});

test("what is wrong with a workflow that is to be saved is told where it stands, not where it would go", async () => {
  const bad = workflow("bad", [{ id: "a", type: "Shel" }]);
  const frond = createFrond({ "bad.yaml": bad });
  expect((await frond.run(["save", "bad.yaml"])).stderr).toMatch(
    /^bad\.yaml:\d+:\d+: error: block 'a': There is no block/,
  );
  const piped = await frond.run(["save", "-"], { stdin: bad });
  expect(piped.stderr).toMatch(/^standard input:\d+:\d+: error: block 'a': There is no block/);
});

test("validate and info tell what can be undone before anything runs, and what to write where it can't", async () => {
  const url = "https://example.org";
  const blocks = [
    { id: "build", type: "Shell", inputs: { command: "true" } },
    { id: "note", type: "CreateFile", inputs: { path: "a", content: "b" } },
    { id: "look", type: "HttpCall", inputs: { url } },
    { id: "tell", type: "HttpCall", inputs: { url, method: "POST" }, on_failure: "continue", depends_on: ["build"] },
    { id: "hook", type: "HttpCall", inputs: { url, method: "PUT" }, commit_point: true, depends_on: ["tell"] },
    { id: "book", type: "HttpCall", inputs: { url, method: "POST" }, undo: { type: "HttpCall", inputs: { url } } },
  ];
  const frond = createFrond({ "undo.yaml": workflow("undo", blocks, { on_failure: "rollback" }) });
  const { stdout, stderr } = await frond.run(["validate", "undo.yaml"]);
  expect(stderr).toContain("When 'book' fails, the rollback can't take back block 'tell'");
  expect(stdout).toBe(
    [
      "ok undo.yaml (6 blocks, 3 waves): 1 warning; undo: 1 automatic, 1 observed, 1 declared, 2 irreversible (tell, hook)",
      "   hook: what a block of type HttpCall does is not recorded. Add `undo:` with a block that takes it back.\n",
    ].join("\n"),
  );
  const info = await frond.run(["info", "undo.yaml"]);
  expect(info.stdout).toContain("Shell, on failure rollback, undo observed\n");
  expect(info.stdout).toContain("HttpCall after build, undo irreversible\n");
  expect(info.stdout).toContain("HttpCall after tell, on failure rollback, undo irreversible, commit point\n");
  const { reply } = await frond.json(["info", "undo.yaml"]);
  expect((reply as { blocks: { undo?: string }[] }).blocks.map(({ undo }) => undo)).toEqual([
    "observed",
    "automatic",
    undefined,
    "irreversible",
    "irreversible",
    "declared",
  ]);
});
