import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { TestScreen } from "../rig/screen.ts";

function named(name: string, from: string, more: object = {}): string {
  const outputs = { from: { value: "${trim(blocks.say.stdout)}" } };
  return workflow(name, [shell("say", `echo ${from}`)], { outputs, ...more });
}

function writeHome(frond: Frond, path: string, text: string): string {
  const file = join(frond.home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function ranFrom(frond: Frond, env: Record<string, string> = {}): Promise<unknown> {
  const { reply } = await frond.json(["run", "hello-world"], { env });
  const { from, greeting } = (reply as { outputs: { from?: unknown; greeting?: unknown } }).outputs;
  return from ?? greeting;
}

test("a later place wins over an earlier one, and the project's own only once it is trusted", async () => {
  const frond = createFrond({
    "first/hello.yaml": named("hello-world", "first"),
    "second/deep/hello.yml": named("hello-world", "second"),
    ".frond/workflows/hello.yaml": named("hello-world", "project"),
  });
  expect(await ranFrom(frond)).toBe("Hello, world!");
  writeHome(frond, ".frond/workflows/hello.yaml", named("hello-world", "home"));
  expect(await ranFrom(frond)).toBe("home");
  const [first, second] = [join(frond.directory, "first"), join(frond.directory, "second")];
  expect(await ranFrom(frond, { WORKFLOWS_TEMPLATE_PATHS: first })).toBe("first");
  expect(await ranFrom(frond, { WORKFLOWS_TEMPLATE_PATHS: `${first}, ${second}` })).toBe("second");
  writeHome(frond, "mine/hello.yaml", named("hello-world", "tilde"));
  expect(await ranFrom(frond, { WORKFLOWS_TEMPLATE_PATHS: `${second},~/mine` })).toBe("tilde");
  expect((await frond.run(["trust"])).code).toBe(0);
  expect(await ranFrom(frond, { WORKFLOWS_TEMPLATE_PATHS: `${second},~/mine` })).toBe("project");
});

test("list shows each workflow with its source and what it overrides, and broken files with their problems", async () => {
  const frond = createFrond({
    "extra/hello.yaml": named("hello-world", "extra", { tags: ["a", "b"] }),
    "extra/broken.yaml": "name: broken\ndescription: x\nblocks: [{id: a, type: Shel}]\n",
    ".frond/workflows/own.yaml": named("own", "project"),
  });
  const home = writeHome(frond, ".frond/workflows/hello.yaml", named("hello-world", "home"));
  const missing = join(frond.directory, "missing");
  const env = { WORKFLOWS_TEMPLATE_PATHS: `${join(frond.directory, "extra")},${missing}` };
  const { code, reply } = await frond.json(["list"], { env });
  expect(code).toBe(0);
  const { workflows, ...rest } = reply as { workflows: { source: string }[] };
  expect({ workflows: workflows.filter(({ source }) => source !== "built-in"), ...rest }).toEqual({
    workflows: [
      {
        name: "hello-world",
        description: "The workflow hello-world",
        tags: ["a", "b"],
        source: "template-path",
        file: join(frond.directory, "extra/hello.yaml"),
        trusted: true,
        overrides: [home, expect.stringMatching(/workflows\/examples\/hello-world\.yaml$/)],
        replaces_built_in: true,
      },
      {
        name: "own",
        description: "The workflow own",
        tags: [],
        source: "project",
        file: join(frond.directory, ".frond/workflows/own.yaml"),
        trusted: false,
        standing: "untrusted",
      },
    ],
    broken: [
      {
        file: join(frond.directory, "extra/broken.yaml"),
        errors: [
          {
            code: "unknown-block-type",
            level: "error",
            message: "There is no block type 'Shel'.",
            block: "a",
            fix: "Did you mean 'Shell'?",
            file: join(frond.directory, "extra/broken.yaml"),
            line: 3,
            column: 24,
            end_line: 3,
            end_column: 28,
          },
        ],
      },
    ],
    warnings: [`The workflow directory ${missing} does not exist (WORKFLOWS_TEMPLATE_PATHS).`],
  });
  const { stdout, stderr } = await frond.run(["list"], { env });
  expect(stdout.slice(stdout.indexOf("from WORKFLOWS")).replaceAll(/ {3,}/g, "   ")).toBe(
    [
      "from WORKFLOWS_TEMPLATE_PATHS",
      "  hello-world   The workflow hello-world [a, b] replaces the built-in one",
      "",
      "from this project",
      "  own   The workflow own untrusted: run `frond trust`",
      "",
      `${workflows.length} workflows. What one takes: frond info NAME`,
      "Run one with: frond run NAME",
      "",
    ].join("\n"),
  );
  expect(stderr).toContain(`warning: The workflow directory ${missing} does not exist`);
  expect(stderr).toContain("broken.yaml:3:24: error: block 'a': There is no block type 'Shel'. [unknown-block-type]");
});

test("list --tag keeps what has all of the tags", async () => {
  const frond = createFrond({
    "extra/one.yaml": named("one", "x", { tags: ["a", "b"] }),
    "extra/two.yaml": named("two", "x", { tags: ["a"] }),
  });
  const env = { WORKFLOWS_TEMPLATE_PATHS: join(frond.directory, "extra") };
  const { reply } = await frond.json(["list", "--tag", "a", "b"], { env });
  expect((reply as { workflows: { name: string }[] }).workflows.map(({ name }) => name)).toEqual(["one"]);
  expect((await frond.run(["list", "--tag", "nobody"], { env })).stdout).toBe(
    "No workflow fits. See them all: frond list\n",
  );
});

test.each([
  [
    ["GIT", "stat"],
    ["git-analyze-changes", "git-status"],
  ],
  [["tdd-r"], ["tdd-red", "tdd-refactor", "tdd-round"]],
  [["retry", "three times"], ["retry-by-condition"]],
] as const)("`frond list %s` finds words in names, tags and descriptions", async (words, names) => {
  const { reply } = await createFrond().json(["list", ...words]);
  expect((reply as { workflows: { name: string }[] }).workflows.map(({ name }) => name)).toEqual(names);
});

test.each([40, 60, 80, 200])(
  "on a screen of %i columns texts are broken between words, below each other",
  async (columns) => {
    const inputs = {
      target: {
        type: "string",
        description: "Where all of it goes, and what becomes of the rest",
        enum: ["here", "there"],
      },
      really: { type: "boolean", description: "Whether", default: true },
    };
    const description = "Says a lot about what it does, in many words that do not fit into one line of a small screen";
    const blocks = [shell("build", "true", { description }), shell("push", "true", { condition: "${inputs.really}" })];
    const frond = createFrond({ "long.yaml": workflow("long", blocks, { description, inputs }) });
    const words = async (args: readonly string[], pipe: string): Promise<void> => {
      const { stdout } = await frond.startInTerminal(args, { env: { NO_COLOR: "1" }, columns }).ended;
      const screen = new TestScreen(columns, 200);
      screen.write(stdout);
      // A shell takes such an end of a line for a blank.
      const split = (text: string): string[] => text.replaceAll(" \\\n", " ").split(/\s+/);
      expect(split(screen.text().join("\n").trim())).toEqual(split(pipe.trim()));
    };
    await words(["list", "git"], (await frond.run(["list", "git"])).stdout);
    const { stdout } = await frond.run(["info", "long.yaml"]);
    expect(stdout).toContain(`  build  Shell  ${description}\n`);
    await words(["info", "long.yaml"], stdout);
  },
);

test("a relative path in WORKFLOWS_TEMPLATE_PATHS is ignored, and list says so", async () => {
  const frond = createFrond({ "extra/hello.yaml": named("hello-world", "extra") });
  const env = { WORKFLOWS_TEMPLATE_PATHS: "extra,./extra" };
  expect(await ranFrom(frond, env)).toBe("Hello, world!");
  const { stderr } = await frond.run(["list"], { env });
  const rule = "it must be an absolute path or start with ~ (WORKFLOWS_TEMPLATE_PATHS).";
  expect(stderr).toBe(
    ["extra", "./extra"].map((path) => `warning: The workflow directory ${path} is ignored: ${rule}\n`).join(""),
  );
});

for (const link of [".frond", ".frond/workflows"]) {
  test(`what lies behind a link at ${link} is neither listed nor trusted`, async () => {
    const frond = createFrond({
      "elsewhere/workflows/own.yaml": named("own", "x"),
      "elsewhere/own.yaml": named("own", "x"),
      "project/file": "",
    });
    const project = join(frond.directory, "project");
    mkdirSync(join(project, link, ".."), { recursive: true });
    symlinkSync(join(frond.directory, "elsewhere"), join(project, link));
    expect((await frond.run(["list", "--workspace", project])).stdout).not.toMatch(/^ +own /m);
    expect((await frond.run(["trust", project])).stdout).toContain("It has no workflow files in .frond/workflows.");
    expect((await frond.run(["run", "own", "--workspace", project])).code).toBe(2);
  });
}

test("a user's own directory may be a link", async () => {
  const frond = createFrond({ "elsewhere/workflows/hello.yaml": named("hello-world", "linked") });
  symlinkSync(join(frond.directory, "elsewhere"), join(frond.home, ".frond"));
  expect(await ranFrom(frond)).toBe("linked");
});

test("an untrusted workflow runs only as a file that is named, until its directory is trusted", async () => {
  const file = ".frond/workflows/own.yaml";
  const frond = createFrond({ [file]: named("own", "project") });
  const refused = await frond.run(["run", "own"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/^error: The workflow 'own' comes from this project, which is not trusted yet\./);
  expect(refused.stderr).toContain("then run `frond trust ");
  expect((await frond.run(["run", file])).code).toBe(0);

  expect(await frond.json(["trust"])).toEqual({
    code: 0,
    reply: {
      directory: frond.directory,
      trusted: true,
      files: [file],
      new: [file],
      changed: [],
      removed: [],
      replacing: [],
    },
  });
  expect((await frond.run(["run", "own"])).code).toBe(0);
  expect(await frond.json(["trust", "--list"])).toEqual({ code: 0, reply: { trusted: [frond.directory] } });
  expect((await frond.run(["trust", "--list"])).stdout).toBe(`${frond.directory}\n`);

  expect(await frond.json(["trust", "--remove"])).toEqual({
    code: 0,
    reply: { directory: frond.directory, trusted: false, was_trusted: true },
  });
  expect((await frond.run(["run", "own"])).code).toBe(2);
  expect((await frond.run(["trust", "--list"])).stdout).toBe("No directory is trusted.\n");
});

test("trust names the files it is about, and says when it could not be remembered", async () => {
  const frond = createFrond({ "project/.frond/workflows/own.yaml": named("own", "x"), file: "" });
  const project = join(frond.directory, "project");
  const { stdout } = await frond.run(["trust", "project"]);
  expect(stdout).toBe(`Trusted: ${project}\n  new      .frond/workflows/own.yaml\n`);
  expect((await frond.run(["trust", "project"])).stdout).toBe(`Trusted: ${project}\n  1 file as before\n`);
  const env = { FROND_STATE_DIR: join(frond.directory, "file", "state") };
  const { code, reply } = await frond.json(["trust"], { env });
  expect(code).toBe(1);
  expect(reply).toEqual({
    status: "failure",
    error: expect.stringContaining(join(frond.directory, "file")),
    errors: [
      {
        code: "state-not-written",
        level: "error",
        message: expect.stringContaining("can't be made: "),
        fix: "Check its permissions and the free space on its disk, or choose another with FROND_STATE_DIR.",
      },
    ],
  });
});

test("what a stranger wrote into a workflow does not speak to the terminal", async () => {
  const description = "Nice\u001b]0;owned\u0007 \u001b[2Jtext";
  const inputs = { x: { type: "string", description, default: "\u001b[31m" } };
  const frond = createFrond({
    ".frond/workflows/evil.yaml": named("evil", "x", { description, tags: ["a\u001b[1m"], inputs }),
    "broken.yaml": workflow("broken", [{ id: "\u001b[2J", type: "\u001b[31mShell" }]),
  });
  for (const args of [["list"], ["info", ".frond/workflows/evil.yaml"], ["validate", "broken.yaml"]]) {
    const { stdout, stderr } = await frond.run(args);
    expect(stdout + stderr).not.toContain("\u001b");
  }
  expect((await frond.run(["list"])).stdout).toMatch(/^from this project\n {2}evil +Nice text \[a\] untrusted/m);
});

test("the name of a file does not speak to the terminal", async () => {
  const strange = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp";
  const frond = createFrond({
    [`.frond/workflows/${strange}.yaml`]: named("own", "x"),
    [`.frond/workflows/${strange}-broken.yaml`]: "{",
    [`${strange}/file`]: "",
  });
  const spoken = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
  const env = { WORKFLOWS_TEMPLATE_PATHS: `${strange},/${strange}` };
  const commands = [["list"], ["trust"], ["trust", strange], ["trust", "--list"], ["trust", "--remove", strange]];
  for (const args of commands) {
    for (const form of [[], ["--json"]]) {
      const { code, stdout, stderr } = await frond.run([...args, ...form], { env });
      expect(code).toBe(0);
      expect((stdout + stderr).replaceAll("\n", "")).not.toMatch(spoken);
    }
  }
  const { reply } = await frond.json(["list"], { env });
  const files = (reply as { workflows: { file: string }[] }).workflows.map(({ file }) => file);
  expect(files).toContain(join(frond.directory, ".frond/workflows", `${strange}.yaml`));
});

test("what is kept of a list can be damaged or forged, and the files still say what they are", async () => {
  const frond = createFrond({
    ".frond/workflows/own.yaml": named("tidy-room", "project", { description: "Cleans up" }),
  });
  expect((await frond.run(["trust"])).code).toBe(0);
  const listed = async (): Promise<unknown> => {
    const { workflows } = (await frond.json(["list", "tidy-room"])).reply as { workflows: object[] };
    return workflows;
  };
  const first = await listed();
  expect(first).toMatchObject([{ name: "tidy-room", description: "Cleans up", trusted: true }]);
  const [file = ""] = readdirSync(join(frond.state, "heads"));
  const kept = join(frond.state, "heads", file);
  const text = readFileSync(kept, "utf8");
  expect(await listed()).toEqual(first);
  for (const forged of [text.replace("Cleans up", "Says hello"), text.slice(0, 40), ""]) {
    writeFileSync(kept, forged);
    expect(await listed()).toEqual(first);
    expect(readFileSync(kept, "utf8")).toBe(text);
  }
  // A change that nobody has looked at is listed as such, whatever is kept.
  frond.write(".frond/workflows/own.yaml", named("tidy-room", "project", { description: "Says hello" }));
  expect(await listed()).toMatchObject([{ description: "Says hello", trusted: false, standing: "changed" }]);
});
