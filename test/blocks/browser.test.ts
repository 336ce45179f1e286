import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { browserProcesses, browserVariables } from "../rig/browser.ts";
import { createTestEngine, type Outcome, type TestEngine, type TestEngineOptions } from "../rig/engine.ts";
import { isAlive } from "../rig/is-alive.ts";
import { readPng } from "../rig/read-png.ts";
import { openShop } from "../rig/shop.ts";
import { waitFor } from "../rig/wait-for.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

const shop = await openShop();
afterAll(() => shop.close());
const url = shop.url;

function createEngine(options: TestEngineOptions = {}): TestEngine {
  return createTestEngine({ ...options, environment: { ...options.environment, ...variables } });
}

/** Steps on pages, one after the other. */
function steps(...inputs: readonly Record<string, unknown>[]): object[] {
  return inputs.map((input, index) => ({
    id: `s${index + 1}`,
    type: "Browser",
    inputs: { timeout: 25, ...input, ...(input.url === undefined ? {} : { allow_private: true }) },
    ...(index === 0 ? {} : { depends_on: [`s${index}`] }),
  }));
}

function outputsOf({ state }: Outcome, id: string): Record<string, unknown> {
  return state.root.record.blocks[id]?.outputs ?? {};
}

/** What the blocks that did not succeed say. */
function failures({ state }: Outcome): (string | null)[] {
  const blocks = Object.values(state.root.record.blocks);
  return blocks.filter(({ metadata }) => !metadata.succeeded).map(({ metadata }) => metadata.message);
}

test("a form is filled in and sent, its answer read and asserted, and the page drawn", async () => {
  const engine = createEngine({ secrets: { NAME: "Ada L <b>'\"" } });
  const outcome = await engine.run({
    blocks: steps(
      { action: "screenshot", url, path: "out/shop.png" },
      { action: "type", target: "label=Your name", value: "${secrets.NAME}" },
      { action: "select", target: "label=Size", value: "Large" },
      { action: "click", target: "role=button[name=Order now]" },
      { action: "extract", target: "#answer" },
      { action: "assert", target: "text=for 11", condition: { text: "l for", url: "/order", title: "Thanks" } },
    ),
  });
  expect(failures(outcome)).toEqual([]);
  expect(outputsOf(outcome, "s5")).toEqual({
    extracted: "l for 11 characters",
    current_url: `${url}/order`,
    title: "Thanks",
    screenshot_path: "",
  });
  const path = `${engine.workspace}/out/shop.png`;
  expect(outputsOf(outcome, "s1").screenshot_path).toBe(path);
  const picture = readPng(readFileSync(path));
  expect([picture.width, picture.height]).toEqual([1280, 720]);
  expect([picture.colourAt(50, 50), picture.colourAt(150, 50)]).toEqual(["ff0000", "0000ff"]);
});

test("a secret is typed, and nothing that is recorded or told has it", async () => {
  const secret = "canary-7f3a99";
  const engine = createEngine({ secrets: { WORD: secret } });
  let told = "";
  const outcome = await engine.run(
    {
      blocks: steps(
        { action: "type", url, target: "label=Your name", value: "${secrets.WORD}" },
        { action: "extract", target: "input", attribute: "value" },
        { action: "select", target: "input", value: "${secrets.WORD}", timeout: "300ms" },
      ),
    },
    {
      onOutput: (_path, text) => {
        told += text;
      },
    },
  );
  expect(outputsOf(outcome, "s2").extracted).toBe("[secret WORD]");
  expect(failures(outcome)).toHaveLength(1);
  expect(JSON.stringify([outcome.events, outcome.response, told])).not.toContain(secret);
});

test("an assert that fails is a failure of the operation, with what was found instead and a picture", async () => {
  const engine = createEngine();
  const outcome = await engine.run({
    blocks: steps(
      { action: "navigate", url },
      { action: "assert", target: "role=button", condition: { text: "Buy" }, timeout: "200ms" },
    ),
  });
  const { metadata, outputs } = outcome.state.root.record.blocks.s2 ?? {};
  expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
  expect(metadata?.message).toBe("assert role=button: the text is 'Order now', not one with 'Buy', after 0.2 s");
  expect(outputs).toMatchObject({ current_url: `${url}/`, title: "Shop" });
  const picture = readPng(readFileSync(String(outputs?.screenshot_path)));
  expect([picture.colourAt(50, 50), picture.colourAt(150, 50)]).toEqual(["ff0000", "0000ff"]);
});

test("wait goes on when the page is as it should be, and its picture is a change that can be taken back", async () => {
  const engine = createEngine();
  const outcome = await engine.run({
    blocks: steps(
      { action: "wait", url: `${url}/late`, target: "#state", condition: { text_equals: "ready" } },
      { action: "screenshot", target: "#state", path: "state.png" },
    ),
  });
  expect(failures(outcome)).toEqual([]);
  expect(existsSync(`${engine.workspace}/state.png`)).toBe(true);
  const changed = outcome.events.flatMap((event) => (event.type === "file-changed" ? event.changes : []));
  expect(changed).toMatchObject([{ at: { path: "state.png" }, before: { kind: "missing" } }]);
});

test("two sessions know nothing of each other's cookies", async () => {
  const who = { action: "extract", url: `${url}/who`, target: "#who" };
  const outcome = await createEngine().run({
    blocks: steps({ action: "navigate", url: `${url}/remember` }, { ...who, session: "other" }, who),
  });
  expect(failures(outcome)).toEqual([]);
  expect(outputsOf(outcome, "s2").extracted).toBe("nobody");
  expect(outputsOf(outcome, "s3").extracted).toBe("visitor=known");
});

test("several elements are taken as a list, by their text or an attribute, or one of them by nth", async () => {
  const outcome = await createEngine().run({
    blocks: steps(
      { action: "extract", url, target: "li", all: true },
      { action: "extract", target: "li a", nth: -1, attribute: "href" },
      { action: "type", target: "input", value: 12 },
      { action: "extract", target: "input", attribute: "value" },
      { action: "click", target: "css=ul a", nth: 1 },
      { action: "wait", condition: { url: "/who", text: "nobody" } },
    ),
  });
  expect(failures(outcome)).toEqual([]);
  expect(outputsOf(outcome, "s1").extracted).toEqual(["first", "second"]);
  expect(outputsOf(outcome, "s2").extracted).toBe(`${url}/late`);
  expect(outputsOf(outcome, "s4").extracted).toBe("12");
});

test("dialogs are dismissed and told, and a page that is opened by another is the one to go on with", async () => {
  let told = "";
  const outcome = await createEngine().run(
    {
      blocks: steps(
        { action: "assert", url: `${url}/noise`, condition: { title: "no" } },
        { action: "click", target: "text=elsewhere" },
        { action: "wait", condition: { url: "/who" } },
      ),
    },
    {
      onOutput: (_path, text) => {
        told += text;
      },
    },
  );
  expect(failures(outcome)).toEqual([]);
  expect(told).toContain("dismissed a dialog (alert): look here\ndismissed a dialog (confirm): sure?\n");
  expect(told).toContain("opened another one");
});

test("what can't be done is said in a few words", async () => {
  const cases: Readonly<Record<string, readonly [input: object, message: string]>> = {
    none: [
      { action: "click", target: "text=Sell", timeout: "500ms" },
      "click text=Sell: no element matches within 0.5 s",
    ],
    several: [{ action: "click", target: "li" }, "click li: 2 elements match, and one is meant"],
    texts: [{ action: "extract", target: "li" }, "extract li: 2 elements match: choose one by `nth`"],
    option: [
      { action: "select", target: "select", value: "Huge", timeout: 2 },
      "the list has no such option within 2 s",
    ],
    selector: [{ action: "click", target: "li:is-not" }, "click li:is-not: the target is not a valid CSS selector"],
    key: [{ action: "press", value: "Entr" }, 'press: Unknown key: "Entr"'],
    missing: [{ action: "navigate", url: `${url}/nowhere` }, `navigate: ${url}/nowhere answered with status 404`],
    slow: [{ action: "navigate", url: `${url}/never`, timeout: 0.5 }, `${url}/never has not loaded within 0.5 s`],
  };
  const blocks = Object.entries(cases).flatMap(([id, [input]]) => {
    const more = { session: id, allow_private: true };
    const open = { action: "navigate", url, ...more, timeout: 30 };
    return [
      { id: `open_${id}`, type: "Browser", inputs: open },
      { id, type: "Browser", depends_on: [`open_${id}`], inputs: { timeout: 30, ...input, ...more } },
    ];
  });
  const { state } = await createEngine().run({ blocks });
  for (const [id, [, message]] of Object.entries(cases)) {
    expect(state.root.record.blocks[id]?.metadata).toMatchObject({ outcome: "failure" });
    expect(state.root.record.blocks[id]?.metadata.message).toContain(message);
  }
});

test("a step in a session that is not there says to open a page first; a pause ends all sessions", async () => {
  const engine = createEngine();
  const run = await engine.start({
    blocks: [
      ...steps({ action: "navigate", url }),
      { id: "ask", type: "Prompt", depends_on: ["s1"], inputs: { prompt: "Go on?" } },
      { id: "after", type: "Browser", depends_on: ["ask"], inputs: { action: "click", target: "text=Order" } },
    ],
  });
  await run.settled;
  expect(browserProcesses(process.pid)).toEqual([]);
  await run.answer("ask", "yes");
  const outcome = await run.goOn();
  expect(failures(outcome).join()).toMatch(/^Session 'default' has no page in this run: .* Open a page first/);
});

test("nothing of the browser is left when a run has ended or was cancelled", async () => {
  const engine = createEngine();
  expect(failures(await engine.run({ blocks: steps({ action: "navigate", url }) }))).toEqual([]);
  expect(browserProcesses(process.pid)).toEqual([]);
  const run = await engine.start({ blocks: steps({ action: "navigate", url: `${url}/never`, timeout: "1m" }) });
  const known = shop.requests.length;
  await waitFor("the page that never comes", () => shop.requests.length > known);
  const processes = browserProcesses(process.pid);
  expect(processes.length).toBeGreaterThan(2);
  await run.cancel();
  expect((await run.settled).response.status).toBe("failure");
  expect(processes.filter(isAlive)).toEqual([]);
});

test("only who opens a session can allow it private addresses", async () => {
  const engine = createEngine({ network: { judge: () => undefined } });
  const outcome = await engine.run(
    {
      inputs: { url: { type: "str" } },
      blocks: [
        { id: "first", type: "Browser", inputs: { action: "navigate", url: "${inputs.url}" } },
        { ...steps({ action: "navigate", url })[0], depends_on: ["first"] },
      ],
    },
    { inputs: { url } },
  );
  expect(failures(outcome).join()).toMatch(/^Session 'default' was opened without `allow_private`/);
});

describe("a value is never a part of a selector", () => {
  const hostile = "x], body, [y=', text=Order";

  test("what an element is called can be anything", async () => {
    const targets = [
      "text=${inputs.v}",
      "label=${inputs.v}",
      'role=button[name="${inputs.v}"]',
      "placeholder=${inputs.v}",
    ];
    const blocks = targets.map((target, index) => ({
      id: `b${index}`,
      type: "Browser",
      // Any selector that it became a part of would find something.
      inputs: { action: "assert", url, target, condition: "hidden", session: `s${index}`, allow_private: true },
    }));
    const outcome = await createEngine().run({ inputs: { v: { type: "str" } }, blocks }, { inputs: { v: hostile } });
    expect(failures(outcome)).toEqual([]);
  });

  test("in a CSS selector it can be nothing but a word", async () => {
    const input = { action: "extract", url, target: "li:nth-child(${inputs.v})" };
    const written = { inputs: { v: { type: "str" } }, blocks: steps(input) };
    const engine = createEngine();
    expect(outputsOf(await engine.run(written, { inputs: { v: "2" } }), "s1").extracted).toBe("second");
    const refused = await engine.run(written, { inputs: { v: hostile } });
    expect(failures(refused).join()).toContain("is more than letters, digits, _ and -");
  });

  test("and never the whole target", () => {
    const written = { inputs: { v: { type: "str" } }, blocks: steps({ action: "click", target: "${inputs.v}" }) };
    const [problem] = createEngine().check(written).diagnostics;
    expect(problem?.message).toContain("a value can't be the whole target");
  });
});
