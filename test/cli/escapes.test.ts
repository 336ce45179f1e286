import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paintSequences } from "../../src/diagnostic/style.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const startOfSequence = "\u001b";

/** One of each kind: clipboard, title, clear, conceal, other screen, device control, C1, bell, backspace, return, turned round. */
const hostile =
  "\u001b]52;c;ZXZpbA==\u0007\u001b]0;owned\u001b\\\u001b[2J\u001b[8m\u001b[?1049h\u001bPq\u001b\\\u009b31m\u009d0;x\u009c\u0007\b\r\u202egnp\u2066\u2028\u007f";
/** In the name of a file there can be no slash, and in a line of YAML no end of it. */
const inName = hostile.replaceAll("/", "");

/** Everything of a workflow that is free text. */
function everything(name: string, more: object = {}): string {
  return workflow(
    name,
    [
      shell("say", "cat hostile; cat hostile >&2", { description: `block ${hostile}` }),
      { id: "look", type: "ReadFile", inputs: { path: `missing ${hostile}`, required: false } },
      shell("skip", "true", { condition: `"${hostile}" == "x"` }),
      ...("blocks" in more ? (more.blocks as object[]) : []),
    ],
    {
      description: `description ${hostile}`,
      version: `1 ${hostile}`,
      author: `author ${hostile}`,
      tags: [`tag ${hostile}`],
      inputs: {
        text: { type: "string", description: `input ${hostile}`, default: hostile },
        choice: { type: "string", description: "x", default: hostile, enum: [hostile, "other"] },
      },
      outputs: {
        said: { value: "${blocks.say.stdout}", description: `output ${hostile}` },
        given: { value: "${inputs.text}" },
      },
    },
  );
}

const asking = {
  blocks: [
    {
      id: "ask",
      type: "Prompt",
      inputs: { prompt: `question ${hostile}`, choices: [hostile, `second ${hostile}`], default: hostile },
      depends_on: ["say"],
    },
    {
      id: "human",
      type: "Prompt",
      inputs: { prompt: `question ${hostile}`, audience: "human", schema: { type: "integer", title: hostile } },
      depends_on: ["say"],
    },
  ],
};

const failing = {
  blocks: [
    shell("fail", "cat hostile >&2; exit 3"),
    { id: "crash", type: "ReadFile", inputs: { path: `../${inName}` } },
    { id: "loop", type: "Shell", for_each: [hostile], inputs: { command: 'echo "${each.value}" >&2; false' } },
  ],
};

const invalid = `name: ${JSON.stringify(hostile)}\n${JSON.stringify(`key${hostile}`)}: 1\nblocks: [{id: ${JSON.stringify(hostile)}, type: ${JSON.stringify(hostile)}}]\n`;

function createHostile(): Frond {
  const strange = `strange${inName}`;
  const frond = createFrond({
    hostile: `${hostile}\n`,
    "fine.yaml": everything("fine"),
    "asking.yaml": everything("asking", asking),
    "failing.yaml": everything("failing", failing),
    "broken.yaml": invalid,
    "unreadable.yaml": `{ "${hostile}`,
    [`${strange}.yaml`]: everything("strange"),
    [`${strange}-broken.yaml`]: invalid,
    "fine.test.yaml": JSON.stringify({
      cases: [{ name: `case ${hostile}`, files: { hostile }, expect: { outputs: { said: hostile, given: "no" } } }],
    }),
    [`.frond/workflows/${strange}.yaml`]: everything("own"),
    [`.frond/workflows/${strange}-broken.yaml`]: invalid,
    "inputs.json": JSON.stringify({ text: hostile, [hostile]: hostile }),
    [`${strange}/file`]: "",
  });
  const library = join(frond.home, ".frond/workflows");
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, `${strange}.yaml`), everything("mine"));
  return frond;
}

/** Every command, with hostile text in each argument that takes one. */
const strange = `strange${inName}`;
const commands: readonly (readonly string[])[] = [
  ["run", "fine.yaml"],
  ["run", `${strange}.yaml`],
  ["run", "failing.yaml"],
  ["run", "asking.yaml"],
  ["run", "mine", "--input", `choice=no${hostile}`],
  ["run", "fine.yaml", "--input", `${hostile}=1`],
  ["run", "fine.yaml", "--inputs", "inputs.json"],
  ["run", "fine.yaml", "--idempotency-key", hostile],
  ["run", hostile],
  ["run", "own"],
  ["run", "fine.yaml", "--workspace", hostile],
  ["validate", "fine.yaml", "broken.yaml", "unreadable.yaml", `${strange}.yaml`, `${strange}-broken.yaml`, hostile],
  ["validate", "fine.test.yaml"],
  ["test"],
  ["test", "fine.test.yaml"],
  ["test", hostile],
  ["test", "fine.test.yaml", "--filter", hostile],
  ["list"],
  ["list", "--tag", hostile],
  ["info", "mine"],
  ["info", hostile],
  ["graph", "fine.yaml"],
  ["trust", "--diff"],
  ["trust"],
  ["trust", "--list"],
  ["trust", hostile],
  ["trust", "--remove"],
  ["runs"],
  ["checkpoints"],
  ["checkpoints", hostile],
  ["checkpoints", "--run", hostile],
  ["show", "last"],
  ["show", "last", "--block", hostile],
  ["show", hostile],
  ["logs", hostile],
  ["resume", "last"],
  ["resume", "last", "--response", hostile],
  ["rerun", hostile],
  ["cancel", hostile],
  ["cancel", "last"],
  ["schema", hostile],
  ["doctor"],
  ["mcp-config", hostile],
  ["mcp-config", "codex", "--workspace", strange],
  ["mcp-config", "claude-code", "--workspace", strange, "--", hostile],
  ["serve", "--workspace", hostile],
  [hostile],
  ["run", `--${hostile}`],
];

const inDocuments = [
  ["run", "failing.yaml"],
  ["run", "asking.yaml"],
  ["run", hostile],
  ["show", "last"],
  ["validate", "fine.yaml", `${strange}-broken.yaml`],
  ["list"],
  ["info", "mine"],
  ["checkpoints"],
  ["test", "fine.test.yaml"],
  ["trust"],
];

/** Everything that a terminal obeys, but the end of a line and tabs. */
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** What was written with the context of the first thing in it that should not be there. */
function found(text: string): string | undefined {
  const at = text.search(obeyed);
  return at === -1 ? undefined : JSON.stringify(text.slice(Math.max(0, at - 60), at + 40));
}

describe("in a pipe nothing that a terminal obeys is written", () => {
  test.each([
    ["by any command", commands, []],
    ["by the documents of those that show most", inDocuments, ["--json"]],
  ])("%s", async (_, tried, form) => {
    const frond = createHostile();
    const env = { FORCE_COLOR: "1", WORKFLOWS_TEMPLATE_PATHS: `${hostile},/${hostile}` };
    const statuses = new Set<number>();
    const attempt = async (args: readonly string[]): Promise<void> => {
      const { code, stdout, stderr } = await frond.run([...args, ...form], { env });
      expect(found(withoutPaint(stdout + stderr)), JSON.stringify(args)).toBeUndefined();
      expect(stdout + stderr, JSON.stringify(args)).not.toBe("");
      statuses.add(code);
    };
    // Those that look at the last run come after those that make one.
    const others = tried.filter((args) => !args.includes("last")).values();
    const work = async (): Promise<void> => {
      for (const args of others) await attempt(args);
    };
    await Promise.all([work(), work(), work(), work()]);
    for (const args of tried.filter((each) => each.includes("last"))) await attempt(args);
    // What is tried succeeds, fails, is refused and waits.
    expect([...statuses].sort()).toEqual([0, 1, 2, 3]);
  });

  test("not even by the log of a server", async () => {
    const frond = createHostile();
    const server = await connect(frond, { env: { WORKFLOWS_LOG_LEVEL: hostile, FROND_MAX_DEPTH: hostile } });
    await server.logged("is no level of messages");
    expect(found(server.log())).toBeUndefined();
  });

  test("but a program that reads a log gets it as it is", async () => {
    const frond = createHostile();
    await frond.run(["run", "fine.yaml"]);
    expect((await frond.run(["logs", "last", "say"])).stdout).toContain(`${hostile}\n`);
    expect((await frond.run(["logs", "last"])).stdout).toContain(hostile);
  });
});

function withoutPaint(text: string): string {
  return paintSequences.reduce((rest, sequence) => rest.replaceAll(sequence, ""), text);
}

describe("in a terminal only what Frond itself means is obeyed", () => {
  let frond: Frond;

  /** The cursor up, to a column, shown or hidden, and erasing: what drawing in place needs. No title, clipboard or other screen. */
  const drawing = new RegExp(
    `${startOfSequence}\\[(?:\\d*[ABCDG]|\\d*;?\\d*H|[0-3]?[JK]|\\?25[lh]|\\?2004[lh]|[\\d;]*m)|\\r`,
    "g",
  );

  const shown = [
    ["run", "fine.yaml"],
    ["run", "failing.yaml"],
    ["validate", `${strange}.yaml`, `${strange}-broken.yaml`],
    ["list"],
    ["info", "mine"],
    ["show", "last"],
    ["logs", "last"],
    ["logs", "last", "say"],
    ["test", "fine.test.yaml"],
    ["trust", "--diff"],
  ];

  test.each(shown.map((args) => ({ args, name: args.filter((word) => !word.startsWith("strange")).join(" ") })))(
    "$name",
    async ({ args }) => {
      frond = createHostile();
      if (args.includes("last")) await frond.run(["run", "fine.yaml"]);
      const { stdout } = await frond.startInTerminal(args).ended;
      expect(stdout).not.toContain("\u001b[2J");
      expect(stdout).not.toContain("\u001b[8m");
      expect(stdout).not.toContain("\u001b[?1049");
      expect(found(stdout.replaceAll(drawing, ""))).toBeUndefined();
    },
  );

  test("a question, its choices and the reason why an answer does not fit", async () => {
    frond = createHostile();
    const run = frond.startInTerminal(["run", "asking.yaml"]);
    await run.until("second");
    run.type("\u001b[B\r");
    await run.until("a whole number");
    run.type("x\r");
    await run.until("'x' is not a number");
    run.type("\u0003");
    const { stdout } = await run.ended;
    expect(stdout).not.toContain("\u001b[8m");
    expect(stdout).not.toContain("\u001b[?1049");
    expect(found(stdout.replaceAll(drawing, ""))).toBeUndefined();
  });
});

test("the example of an answer is one that can be typed", async () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "?", choices: [hostile, "it's fine"] } };
  const only = { id: "only", type: "Prompt", inputs: { prompt: "?", choices: [hostile] } };
  const frond = createFrond({ "ask.yaml": workflow("ask", [ask, only]) });
  const { stdout } = await frond.run(["run", "ask.yaml"]);
  expect(stdout).toContain(`--response 'it'\\''s fine'\n`);
  expect(stdout).toContain("--response '...'\n");
});

test("nothing else writes to a stream that may be a terminal", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const holding = (pattern: RegExp): string[] =>
    sources.filter((file) => pattern.test(readFileSync(join("src", file), "utf8"))).toSorted();
  expect(holding(/\b(?:process\.)?(?:stdout|stderr)\.write\b|new PatientWriter\b|\bconsole\.\w+\(/)).toEqual([
    "cli/terminal.ts",
    // One line of its own, before anything is loaded.
    "main.ts",
    // Hands on what others write to stdout, while that belongs to the protocol.
    "platform/claim-stdout.ts",
  ]);
  const handingOn = ["app.ts", "greeter.ts", "main.ts", "serve-http.ts", "serve.ts", "work.ts"];
  expect(holding(/process\.std(?:out|err)\b/)).toEqual(handingOn);
});
