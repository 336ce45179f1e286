import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import type { BrowserAnswer, BrowserProblem, BrowserStep, BrowserTarget } from "../block/browsers.ts";
import { BlockCannotRun, type BlockContext, type BlockResult, type BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import { readWebAddress } from "../util/web-address.ts";
import { type BrowserAction, browserActions, inputsOfAction } from "./browser/browser-actions.ts";
import { checkBrowser, missingInput, readTimeout, timeoutProblem } from "./browser/check-browser.ts";
import { badPatterns, conditionInput, judgeCondition, needsTarget, readCondition } from "./browser/page-condition.ts";
import { savePicture } from "./browser/save-picture.ts";
import { type ReadyTarget, targetText } from "./browser/target-text.ts";
import { optionalPath } from "./files/path-inputs.ts";
import { textInput } from "./text-input.ts";

const inputs = () =>
  z.strictObject({
    action: z
      .enum(browserActions)
      .describe("What to do; wait and assert wait for a condition, type replaces what a field holds"),
    url: z.string().min(1).optional().describe("Page to open first, with any action: http:// or https://"),
    target: z
      .string()
      .min(1)
      .optional()
      .describe("Which element: role=button[name=Send], text=..., label=..., placeholder=..., or a CSS selector"),
    nth: z.number().int().optional().describe("Which of several elements: 1 is the first, -1 the last"),
    value: z
      .union([textInput(), z.array(textInput())])
      .optional()
      .describe("type: the text; select: an option, or a list; press: a key like Enter; scroll: top, bottom or pixels"),
    condition: conditionInput()
      .optional()
      .describe(
        "wait, assert: a state of the target (default: visible), or a map of what has to be so, such as {text: Thanks}",
      ),
    attribute: z
      .string()
      .min(1)
      .optional()
      .describe("extract: this attribute instead of the text; value is what a field holds"),
    all: z.boolean().default(false).describe("extract: a list of all elements that match"),
    path: optionalPath("The picture of screenshot, or of a failure; default: a file in $SCRATCH"),
    full_page: z.boolean().default(false).describe("screenshot: the whole page, not only what is in view"),
    session: z
      .string()
      .min(1)
      .default("default")
      .describe("Pages with cookies of their own, which blocks of a run share by this name"),
    timeout: z
      .union([z.number(), z.string()])
      .default(10)
      .describe("How long the page may take: seconds, or a text like 500ms, 1m"),
    allow_private: z
      .boolean()
      .default(false)
      .describe(
        "Allow addresses of this machine, of private networks and the like, for the session that this block opens",
      ),
  });

const outputs = () =>
  z.strictObject({
    extracted: z.unknown().describe("What extract found: a text, or a list of texts"),
    current_url: z.string().describe("Address of the page after the step"),
    title: z.string().describe("Title of the page after the step"),
    screenshot_path: z.string().describe("Absolute path of the picture, if one was taken"),
  });

const noOutputs = { extracted: null, current_url: "", title: "", screenshot_path: "" };

export const browser: BlockType = defineLeaf({
  type: "Browser",
  summary: "Drives a web page in Chromium; needs playwright-core. Private addresses must be allowed.",
  inputs,
  outputs,
  otherNames: {
    ...{ selector: "target", locator: "target", element: "target", address: "url", uri: "url", link: "url" },
    ...{ text: "value", key: "value", option: "value", file: "path", filename: "path", session_id: "session" },
  },
  languages: { target: targetText },
  secretInputs: ["value"],
  defaultOutputs: noOutputs,
  capabilities: ["network", "writes files"],
  undo: ({ action, path }) => {
    if (action?.known !== true || inputsOfAction[action.value as BrowserAction]?.acts !== false) return "irreversible";
    return path === undefined ? "not_needed" : "automatic";
  },
  onInterrupted: ({ action }) => (inputsOfAction[action as BrowserAction].acts ? "ask" : "rerun"),
  // Its session has ended with the run.
  reusable: () => false,
  check: checkBrowser,
  run,
  adopt: async () => ({ kind: "succeeded", outputs: noOutputs }),
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const given: Readonly<Record<string, unknown>> = input;
  const missing = missingInput(input.action, (name) => given[name] !== undefined);
  if (missing !== undefined) throw new BlockCannotRun(missing.message);
  const page = new Page(input, context);
  const opened = input.url === undefined ? undefined : await page.perform({ kind: "open", url: addressOf(input.url) });
  const done = opened?.ok === false ? opened : await act(page, input);
  if (done.ok) return succeed(input, context, done.value);
  const { kind, message } = done.error;
  if (kind === "missing" || kind === "refused" || kind === "no-session") throw new BlockCannotRun(message);
  return fail(`${describe(input, page)}: ${message}`, page, input, context);
}

function describe({ action }: Inputs, { shown }: Page): string {
  return shown === undefined ? action : `${action} ${shown}`;
}

function addressOf(url: string): string {
  const address = readWebAddress(url);
  if (!address.ok) throw new BlockCannotRun(`The url can't be opened: ${address.error}.`);
  return address.value.href;
}

/** The session as one block sees it. */
class Page {
  readonly target: BrowserTarget | undefined;
  /** The target, for messages. */
  readonly shown: string | undefined;
  readonly timeoutMs: number;
  readonly #input: Inputs;
  readonly #context: BlockContext;

  constructor(input: Inputs, context: BlockContext) {
    const seconds = readTimeout(input.timeout);
    if (seconds === undefined) throw new BlockCannotRun(`${timeoutProblem}.`);
    if (input.nth === 0) throw new BlockCannotRun("nth counts from 1, or from the end below 0.");
    const ready = input.target === undefined ? undefined : (context.compiled("target") as ReadyTarget);
    this.target = ready && { ...ready.target, ...defined({ nth: input.nth }) };
    this.shown = ready?.shown;
    this.timeoutMs = Math.round(seconds * 1000);
    this.#input = input;
    this.#context = context;
  }

  perform(step: BrowserStep, timeoutMs: number = this.timeoutMs): Promise<Result<BrowserAnswer, BrowserProblem>> {
    const { browsers, runId: owner, signal, log } = this.#context;
    const { session, allow_private: allowPrivate } = this.#input;
    const onNote = (line: string): void => log("stdout", Buffer.from(`${line}\n`));
    return browsers.perform({ owner, session, step, allowPrivate, timeoutMs, signal, onNote });
  }
}

type Done = Result<BrowserAnswer, BrowserProblem>;

function act(page: Page, input: Inputs): Promise<Done> {
  const { target } = page;
  // Which of them an action needs has been looked at before.
  const named = target as BrowserTarget;
  const texts = [input.value ?? ""].flat().map(String);
  const [text = ""] = texts;
  switch (input.action) {
    case "navigate":
      return page.perform({ kind: "look" });
    case "wait":
    case "assert":
      return untilSo(page, input);
    case "click":
      return page.perform({ kind: "click", target: named });
    case "type":
      return page.perform({ kind: "fill", target: named, text: texts.join("\n") });
    case "select":
      return page.perform({ kind: "select", target: named, options: texts });
    case "press":
      return page.perform({ kind: "press", target, key: text });
    case "extract":
      return page.perform({ kind: "extract", target, attribute: input.attribute, all: input.all });
    case "scroll":
      return page.perform({ kind: "scroll", to: target ?? readScroll(text) });
    case "screenshot":
      return page.perform({ kind: "picture", target, fullPage: input.full_page });
  }
}

function readScroll(text: string): "top" | "bottom" | { readonly down: number } {
  if (text === "top" || text === "bottom") return text;
  const down = Number(text);
  if (text.trim() !== "" && Number.isFinite(down)) return { down };
  throw new BlockCannotRun(`'${text}' is nothing to scroll to: it is top, bottom or a number of pixels.`);
}

const lookEveryMs = 100;

/** Looks at the page until it is as the condition wants it. A page that is on its way to another one is looked at again. */
async function untilSo(page: Page, input: Inputs): Promise<Done> {
  const { target, timeoutMs } = page;
  const condition = readCondition(input.condition);
  const [bad] = badPatterns(condition);
  if (bad !== undefined) throw new BlockCannotRun(`'${bad}' is not a valid pattern.`);
  if (target === undefined && needsTarget(condition)) {
    throw new BlockCannotRun("The condition is about an element, and no target is named.");
  }
  const end = performance.now() + timeoutMs;
  for (;;) {
    const seen = await page.perform({ kind: "look", target });
    const problem = seen.ok ? judgeCondition(condition, seen.value) : seen.error.message;
    if (seen.ok && problem === undefined) return ok(seen.value);
    if (!seen.ok && seen.error.kind !== "failed") return seen;
    if (performance.now() >= end) {
      const message = `${problem}, after ${timeoutMs / 1000} s`;
      return { ok: false, error: { kind: "failed", message } };
    }
    await delay(lookEveryMs);
  }
}

async function succeed({ path }: Inputs, context: BlockContext, answer: BrowserAnswer): Promise<BlockResult> {
  const { url, title, extracted = null, picture } = answer;
  const made = { ...noOutputs, extracted, current_url: url, title };
  if (picture === undefined) return { kind: "succeeded", outputs: made };
  return savePicture(context, path, picture, made);
}

/** Long enough for any page that answers at all. */
const pictureMs = 2000;

/** With a picture of the page, if there is a page: whoever reads of it later can't look at it any more. */
async function fail(message: string, page: Page, { path }: Inputs, context: BlockContext): Promise<BlockResult> {
  const failed = (outputs: ValueMap): BlockResult => ({ kind: "failed", message, outputs });
  if (context.signal.aborted) return failed(noOutputs);
  const taken = await page.perform({ kind: "picture", fullPage: false }, pictureMs);
  if (!taken.ok) return failed(noOutputs);
  const { url, title, picture = new Uint8Array() } = taken.value;
  const made = { ...noOutputs, current_url: url, title };
  const saved = await savePicture(context, path, picture, made);
  return failed(saved.kind === "succeeded" ? saved.outputs : made);
}
