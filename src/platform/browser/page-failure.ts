import type { BrowserProblem } from "../../block/browsers.ts";

/** Thrown where a step is performed, caught in the session, where it becomes a value. */
export class PageFailure extends Error {
  override readonly name = "PageFailure";
  readonly kind: BrowserProblem["kind"];

  constructor(message: string, kind: BrowserProblem["kind"] = "failed") {
    super(message);
    this.kind = kind;
  }
}

/** How many elements there are of what was to be used, if anything was: `silent` when the page does not say. */
export type Matches = number | "silent" | undefined;

/** What Playwright tells at length, most of it for those who write programs with it, in a few words. `seconds` is how long it has tried. */
export function explainPageFailure(error: unknown, seconds: number, matches: Matches): BrowserProblem {
  if (error instanceof PageFailure) return { kind: error.kind, message: error.message };
  const text = error instanceof Error ? error.message : String(error);
  const [first = ""] = text.split("\n");
  return { kind: "failed", message: explainText(text, seconds, matches) ?? withoutCall(first) };
}

function explainText(text: string, seconds: number, matches: Matches): string | undefined {
  const [, counted] = /strict mode violation.*resolved to (\d+) elements/s.exec(text) ?? [];
  const several = counted ?? (typeof matches === "number" && matches > 1 ? matches : undefined);
  if (several !== undefined)
    return `${several} elements match, and one is meant: name it more closely, or choose by \`nth\``;
  if (/(page|context|browser) has been closed|Target closed/.test(text)) return "the page was closed";
  if (/Target crashed|Page crashed/i.test(text)) return "the page has crashed";
  if (/Unexpected token|is not a valid selector|Unsupported token|while parsing (css )?selector/i.test(text)) {
    return "the target is not a valid CSS selector";
  }
  if (!/Timeout \d+ms exceeded/.test(text)) return undefined;
  const within = `within ${seconds} s`;
  if (matches === "silent") return `the page did not answer ${within}`;
  if (matches === 0) return `no element matches ${within}`;
  const found = reasons.find(([pattern]) => pattern.test(text));
  return `${found?.[1] ?? "it could not be done"} ${within}`;
}

/** In the order of how much they tell. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/did not find some options/, "the list has no such option"],
  [/intercepts pointer events/, "another element covered it"],
  [/element is not enabled/, "it was not enabled"],
  [/element is not editable/, "it could not be edited"],
  [/element is not visible/, "it was not visible"],
  [/element is not stable/, "it did not stop moving"],
  [/outside of the viewport/, "it could not be scrolled into view"],
];

/** Without the name of the function that has failed. */
function withoutCall(line: string): string {
  return line.replace(/^(?:[A-Za-z]+: )?(?:[a-z]+\.[A-Za-z]+: )?(?:Error: )?/, "").replace(/\.$/, "");
}
