import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createFrond, type Running, shell, workflow } from "../rig/frond.ts";
import { TestScreen } from "../rig/screen.ts";

const enter = "\r";
const down = "\u001b[B";
const escapeKey = "\u001b";
const backspace = "\u007f";

/** Lets a block wait until the test has seen what it wants to see. */
const waitForFile = "echo waiting; until [ -e go ]; do sleep 0.05; done";

const tree = workflow("tree", [
  shell("first", "true"),
  shell("bad", "echo 'the \u001b[31mreason' >&2; exit 4", { depends_on: ["first"] }),
  shell("slow", waitForFile, { depends_on: ["first"] }),
  shell("last", "true", { depends_on: ["bad"] }),
]);

test("the tree is drawn in place while the run goes, and its last state stays", async () => {
  const frond = createFrond({ "tree.yaml": tree });
  const run = frond.startInTerminal(["run", "tree.yaml"], { columns: 60, rows: 12 });
  await run.until("waiting");
  frond.write("go", "");
  const { code, stdout } = await run.ended;
  expect(code).toBe(1);
  const screen = new TestScreen(60, 12);
  screen.write(stdout);
  expect(screen.cursorHidden).toBe(false);
  expect(screen.text().map((line) => line.replace(/ \d+(ms|\.\ds)/, " TIME").replace(/run_\w+/, "RUN"))).toEqual([
    "✗ tree TIME",
    "  ✓ first TIME",
    "  ✗ bad TIME",
    "  ✓ slow TIME",
    "  - last  'bad' failed, and is required.",
    "",
    "failed bad: exit code 4: the reason",
    "failure tree RUN in TIME: bad failed",
    "  See the log: frond logs RUN bad",
    "  Fix that, then run: frond rerun RUN",
  ]);
});

test("a small window is never exceeded, and says what it hides", async () => {
  const blocks = [shell("slow", waitForFile), ...Array.from({ length: 12 }, (_, at) => shell(`many${at}`, "true"))];
  const frond = createFrond({ "many.yaml": workflow("many", blocks) });
  const run = frond.startInTerminal(["run", "many.yaml"], { columns: 40, rows: 8 });
  // All but one have ended, and it is the one that waits.
  await run.until(" 12/13");
  frond.write("go", "");
  const { code, stdout } = await run.ended;
  expect(code).toBe(0);
  const screen = new TestScreen(40, 8);
  screen.write(stdout);
  expect(screen.highestJump).toBeLessThan(8);
  expect(screen.text().slice(-4)).toEqual([
    expect.stringMatching(/^ {2}and \d+ done$/),
    "",
    expect.stringMatching(/^success many run_\w+ in$/),
    expect.stringMatching(/^ {2}\d+(ms|\.\ds)$/),
  ]);
});

test("a terminal that can't be drawn on gets plain lines", async () => {
  const { code, stdout } = await createFrond().startInTerminal(["run", "hello-world"], { env: { TERM: "dumb" } }).ended;
  expect(code).toBe(0);
  expect(stdout).toContain("ok      greet");
  expect(stdout).not.toContain("\u001b");
});

test("NO_COLOR takes the colours away, not the drawing", async () => {
  const frond = createFrond({ "tree.yaml": tree });
  const run = frond.startInTerminal(["run", "tree.yaml"], { env: { NO_COLOR: "1" } });
  await run.until("waiting");
  frond.write("go", "");
  const { stdout } = await run.ended;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
  expect(stdout).not.toMatch(/\u001b\[\d+m/);
  expect(stdout).toContain("\u001b[?25l");
});

/** The tree shows what is asked too, before anybody reads what is typed. */
function untilAsked(run: Running, block: string): Promise<void> {
  return run.until(`? ${block} asks`);
}

test("questions are asked: choices as a list, text with a default, and what doesn't fit again", async () => {
  const ask = (id: string, inputs: object, after: string[]): object => ({
    id,
    type: "Prompt",
    inputs,
    depends_on: after,
  });
  const blocks = [
    ask("where", { prompt: "Ready.\nThree changes.\nWhere to?", choices: ["here", "there", "nowhere"] }, []),
    ask("note", { prompt: "A note?", default: "none" }, ["where"]),
    ask("count", { prompt: "How many?", schema: { type: "integer", minimum: 1 } }, ["note"]),
    ask("sure", { prompt: "Sure?", schema: { type: "boolean" } }, ["count"]),
  ];
  const outputs = Object.fromEntries(
    ["where", "note", "count", "sure"].map((id) => [id, { value: `\${blocks.${id}.response}` }]),
  );
  const frond = createFrond({ "ask.yaml": workflow("ask", blocks, { outputs }) });
  const run = frond.startInTerminal(["run", "ask.yaml"]);
  await run.until("nowhere");
  expect(stripVTControlCharacters(run.shown())).toMatch(/where asks\s+.*Ready\.\s+.*Three changes\.\s+.*Where to\?/su);
  run.type(`${down}${down}${enter}`);
  await untilAsked(run, "note");
  run.type(enter);
  await untilAsked(run, "count");
  run.type(`none${enter}`);
  await run.until("'none' is not a number.");
  run.type(`${backspace.repeat(4)}0${enter}`);
  await run.until("answer must be at least 1.");
  run.type(`${backspace}5${enter}`);
  await untilAsked(run, "sure");
  run.type(`${down}${down}${enter}`);
  const { code, stdout } = await run.ended;
  expect(code).toBe(0);
  expect(stripVTControlCharacters(stdout).replaceAll("\r", "")).toContain(
    "where: there\nnote: none\ncount: 5\nsure: false\nsuccess ask run_",
  );
});

test.each([
  ["Esc", escapeKey],
  ["Ctrl-C", "\u0003"],
])("%s at a question leaves the run paused, to be answered later", async (_, key) => {
  const block = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const frond = createFrond({ "ask.yaml": workflow("ask", [block, shell("next", "true", { depends_on: ["ask"] })]) });
  const run = frond.startInTerminal(["run", "ask.yaml"]);
  await untilAsked(run, "ask");
  run.type(key);
  const { code, stdout } = await run.ended;
  expect(code).toBe(3);
  expect(stripVTControlCharacters(stdout)).toMatch(/paused ask run_\w+: waits for 1 answer\s*$/);
  expect(await frond.json(["resume", "last", "--response", "yes"])).toMatchObject({ code: 0 });
});

test("with --json nobody is asked, in a terminal either", async () => {
  const block = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const frond = createFrond({ "ask.yaml": workflow("ask", [block]) });
  const { code, stdout } = await frond.startInTerminal(["run", "ask.yaml", "--json"]).ended;
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ status: "paused", prompt: "Go on?" });
});
