import type { InputProblem, WrittenInputs } from "../../block/define-block.ts";
import type { Value } from "../../expression/value.ts";
import { readSeconds } from "../../util/duration-text.ts";
import { checkAddress } from "../http/check-http-call.ts";
import { type BrowserAction, browserActions, inputsOfAction } from "./browser-actions.ts";
import { badPatterns, conditionInput, needsTarget, readCondition } from "./page-condition.ts";

/** What can be said of a step on a page before it is done. */
export function checkBrowser(written: WrittenInputs): InputProblem[] {
  const action = written.action?.known ? written.action.value : undefined;
  return [
    ...(isAction(action) ? checkInputs(action, written) : []),
    ...checkAddress(written, "url"),
    ...checkCondition(written),
    ...checkTimeout(written),
  ];
}

function isAction(value: Value | undefined): value is BrowserAction {
  return typeof value === "string" && browserActions.includes(value as BrowserAction);
}

function checkInputs(action: BrowserAction, written: WrittenInputs): InputProblem[] {
  const problem = missingInput(action, (name) => written[name] !== undefined);
  if (problem !== undefined) return [{ code: "missing-input", level: "error", ...problem }];
  const { needs, takes } = inputsOfAction[action];
  const special = ["target", "nth", "value", "condition", "attribute", "all", "full_page"];
  const useless = special.filter((name) => written[name] !== undefined && ![...needs.flat(), ...takes].includes(name));
  return useless.map((input) => ({
    code: "useless-input",
    level: "warning",
    message: `${action} has no use for ${input}.`,
    fix: "Remove it, or choose another action.",
    input,
  }));
}

/** Also asked when it runs, of an action that nobody knew before. */
export function missingInput(
  action: BrowserAction,
  isGiven: (name: string) => boolean,
): { readonly message: string; readonly fix: string } | undefined {
  const missing = inputsOfAction[action].needs.find((oneOf) => !oneOf.some(isGiven));
  if (missing === undefined) return undefined;
  const names = missing.join(" or ");
  return { message: `${action} needs ${names}.`, fix: `Add \`${missing[0]}:\` under inputs.` };
}

function checkCondition({ condition, target }: WrittenInputs): InputProblem[] {
  if (!condition?.known) return [];
  const parsed = conditionInput().safeParse(condition.value);
  // What does not fit the schema is reported with it.
  if (!parsed.success) return [];
  const read = readCondition(parsed.data);
  const problem = (message: string, fix: string): InputProblem => ({
    ...{ code: "bad-condition", level: "error", message, fix, input: "condition" },
  });
  if (Object.keys(read).length === 0) {
    return [problem("the condition says nothing.", "Write `visible`, or a map such as `{text: Thanks}`.")];
  }
  return [
    ...(needsTarget(read) && target === undefined
      ? [problem("the condition is about an element, and none is named.", "Add `target:` under inputs.")]
      : []),
    ...badPatterns(read).map((pattern) =>
      problem(`'${pattern}' is not a valid pattern.`, "Patterns are RE2's: no lookahead, no \\1."),
    ),
  ];
}

const longestSeconds = 3600;

export function readTimeout(timeout: number | string): number | undefined {
  const seconds = readSeconds(timeout);
  return seconds !== undefined && seconds > 0 && seconds <= longestSeconds ? seconds : undefined;
}

export const timeoutProblem =
  "timeout is a number of seconds above 0, or a text like 500ms, 30s or 5m; an hour at most";

function checkTimeout({ timeout }: WrittenInputs): InputProblem[] {
  if (!timeout?.known) return [];
  const { value } = timeout;
  if ((typeof value !== "number" && typeof value !== "string") || readTimeout(value) !== undefined) return [];
  return [{ code: "bad-timeout", level: "error", message: `${timeoutProblem}.`, input: "timeout" }];
}
