import * as z from "zod";
import type { BrowserAnswer, SeenElement } from "../../block/browsers.ts";
import { openPattern } from "../../expression/search-pattern.ts";
import { fitText } from "../../util/shorten-text.ts";

const states = ["visible", "hidden", "enabled", "disabled", "checked", "unchecked"] as const;
type ElementState = (typeof states)[number];

const mostElements = 1000;

/** What has to be so on a page; all of what is named. */
export interface PageCondition {
  readonly state?: ElementState | undefined;
  readonly text?: string | undefined;
  readonly text_equals?: string | undefined;
  readonly text_matches?: string | undefined;
  readonly value?: string | undefined;
  readonly count?: number | undefined;
  readonly url?: string | undefined;
  readonly url_matches?: string | undefined;
  readonly title?: string | undefined;
}

export type WrittenCondition = ElementState | PageCondition;

export function conditionInput(): z.ZodType<WrittenCondition> {
  const state = z.enum(states);
  const map = z.strictObject({
    state: state.optional().describe("How the target is; hidden also when there is none"),
    text: z.string().optional().describe("A part of what the target shows, or the page"),
    text_equals: z.string().optional().describe("All that the target shows"),
    text_matches: z.string().optional().describe("A pattern that is found in what the target shows, or the page"),
    value: z.string().optional().describe("What the field holds"),
    count: z.number().int().min(0).max(mostElements).optional().describe("How many elements match the target"),
    url: z.string().optional().describe("A part of the address of the page"),
    url_matches: z.string().optional().describe("A pattern that is found in the address of the page"),
    title: z.string().optional().describe("A part of the title of the page"),
  });
  return z.union([state, map]);
}

/** A state alone is short for a map with nothing else. */
export function readCondition(condition: WrittenCondition | undefined): PageCondition {
  return typeof condition === "object" ? condition : { state: condition ?? "visible" };
}

/** Which parts of a condition say nothing without a target. */
export function needsTarget(condition: PageCondition): boolean {
  const { state, text_equals: text, value, count } = condition;
  return [state, text, value, count].some((part) => part !== undefined);
}

/** What is no pattern in it. */
export function badPatterns({ text_matches: text, url_matches: url }: PageCondition): readonly string[] {
  return [text, url].filter((pattern) => pattern !== undefined).filter((pattern) => openPattern(pattern) === undefined);
}

export type Sight = Pick<BrowserAnswer, "url" | "title" | "elements">;

/** What is not as the condition wants it, in a few words; nothing when all of it is. Of several elements one will do. */
export function judgeCondition(condition: PageCondition, { url, title, elements = [] }: Sight): string | undefined {
  const texts = elements.map(({ text }) => text);
  const values = elements.map(({ value }) => value ?? "");
  const { text, text_equals, text_matches, value, count, state } = condition;
  const problems = [
    count === undefined || elements.length === count
      ? undefined
      : `there are ${elements.length} elements, not ${count}`,
    state === undefined ? undefined : judgeState(state, elements),
    judgeTexts("the text is", texts, text, includes, "one with"),
    judgeTexts("the text is", texts, text_equals, equals, "exactly"),
    judgeTexts("the text is", texts, text_matches, matches, "one that matches"),
    judgeTexts("the value is", values, value, equals, "exactly"),
    judgeTexts("the address is", [url], condition.url, includes, "one with"),
    judgeTexts("the address is", [url], condition.url_matches, matches, "one that matches"),
    judgeTexts("the title is", [title], condition.title, includes, "one with"),
  ].filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.join("; ");
}

const includes = (text: string, wanted: string): boolean => text.includes(wanted);
const equals = (text: string, wanted: string): boolean => text === wanted;
const matches = (text: string, wanted: string): boolean => (openPattern(wanted)?.indexIn(text) ?? -1) !== -1;

function judgeTexts(
  what: string,
  texts: readonly string[],
  wanted: string | undefined,
  fits: (text: string, wanted: string) => boolean,
  how: string,
): string | undefined {
  if (wanted === undefined || texts.some((text) => fits(text, wanted))) return undefined;
  const [first] = texts;
  if (first === undefined) return "no element matches";
  return `${what} '${onOneLine(first)}', not ${how} '${onOneLine(wanted)}'`;
}

function judgeState(state: ElementState, elements: readonly SeenElement[]): string | undefined {
  if (state === "hidden") return elements.some(({ visible }) => visible) ? "it is visible" : undefined;
  if (elements.length === 0) return "no element matches";
  const isSo: Readonly<Record<Exclude<ElementState, "hidden">, (element: SeenElement) => boolean>> = {
    visible: ({ visible }) => visible,
    enabled: ({ enabled }) => enabled,
    disabled: ({ enabled }) => !enabled,
    checked: ({ checked }) => checked,
    unchecked: ({ checked }) => !checked,
  };
  return elements.some(isSo[state]) ? undefined : `it is not ${state}`;
}

function onOneLine(text: string): string {
  return fitText(text.replaceAll(/\s+/g, " "), 200);
}
