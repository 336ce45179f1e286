import type { Style } from "../../diagnostic/style.ts";
import { layOutLine, type Segment, widthOfSegments } from "../text/lay-out-line.ts";
import { cleanLine, cleanText, cutToWidth, widthOf } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";
import type { TypedText } from "./edit-line.ts";
import {
  type ChoiceField,
  type Entry,
  type Field,
  type Form,
  type FormState,
  isAnswer,
  type TextField,
} from "./form.ts";

export interface FormLook {
  readonly columns: number;
  /** Lines that may be used. */
  readonly rows: number;
  readonly colour: boolean;
  readonly unicode: boolean;
}

interface Signs {
  readonly pointer: string;
  readonly on: string;
  readonly off: string;
  readonly cursor: string;
  readonly keys: string;
}

const unicodeSigns: Signs = { pointer: "❯", on: "●", off: "○", cursor: "▏", keys: "↑ ↓" };
const asciiSigns: Signs = { pointer: ">", on: "(*)", off: "( )", cursor: "|", keys: "Up/Down" };

/** The lines of a form, as many as there is room for: its fields always, of the text above them the end. */
export function drawForm(form: Form, state: FormState, look: FormLook): string[] {
  const text = drawText(form, look);
  const fields = drawFields(form, state, look, Math.max(3, look.rows - 4));
  const below = drawBelow(form, state, look);
  const room = Math.max(0, look.rows - 1 - fields.length - below.length);
  const shown = text.length <= room ? text : text.slice(text.length - room);
  const title = layOut(
    [
      ["? ", "yellow"],
      [cleanLine(form.title), "bold"],
    ],
    look,
  );
  const lines = [title, ...shown, ...fields, ...below];
  return lines.length <= look.rows ? lines : drawLittle(title, form, state, look);
}

/** In a window that is too small for all of it: what is being filled in, then who asks, then what is wrong. */
function drawLittle(title: string, form: Form, state: FormState, look: FormLook): string[] {
  const rows = Math.max(1, look.rows);
  const above = rows > 1 ? [title] : [];
  const fields = drawFields(form, state, look, rows - above.length);
  return [...above, ...fields, ...drawBelow(form, state, look)].slice(0, rows);
}

/** Without the fields: how much of it there is to read. */
export function drawText({ text }: Form, { columns }: FormLook): string[] {
  return text.trim() === "" ? [] : wrapWords(cleanText(text.trim()), columns - 1, { first: "  " });
}

function drawFields(form: Form, state: FormState, look: FormLook, most: number): string[] {
  const { fields } = form;
  const [only] = fields;
  if (fields.length === 1 && only?.kind === "choice" && only.label === "")
    return drawList(only, state.entries[0] as Entry, look, most);
  const labels = Math.min(
    Math.floor(look.columns / 3),
    Math.max(...fields.map(({ label }) => widthOf(cleanLine(label)))),
  );
  const lines = fields.map((field, index) => {
    const isCurrent = index === state.at;
    const label = cutToWidth(cleanLine(field.label), labels);
    const segments: Segment[] = [
      [isCurrent ? `${signsOf(look).pointer} ` : "  ", "cyan"],
      [label.padEnd(label.length + labels - widthOf(label)), isCurrent ? "bold" : undefined],
      [labels === 0 ? "" : "  "],
    ];
    return layOut([...segments, ...drawField(field, state.entries[index] as Entry, isCurrent, segments, look)], look);
  });
  return aroundCurrent(lines, state.at, most, look);
}

/** One below the other, as many as there is room for. */
function drawList({ choices }: ChoiceField, { picked }: Entry, look: FormLook, most: number): string[] {
  const lines = choices.map(({ label }, index) => {
    const isPicked = index === picked;
    const style = isPicked ? "cyan" : undefined;
    return layOut(
      [
        [isPicked ? `  ${signsOf(look).pointer} ` : "    ", style],
        [cleanLine(label) || "''", style],
      ],
      look,
    );
  });
  return aroundCurrent(lines, picked ?? 0, most, look);
}

/** In less room than this nobody is told how much there is above and below. */
const leastToTell = 3;

function aroundCurrent(lines: readonly string[], at: number, most: number, look: FormLook): string[] {
  if (lines.length <= most) return [...lines];
  if (most < leastToTell)
    return lines.slice(Math.min(at, lines.length - most), Math.min(at, lines.length - most) + most);
  const room = Math.max(1, most - 2);
  const first = Math.min(Math.max(0, at - Math.floor(room / 2)), lines.length - room);
  const rest = lines.length - first - room;
  const more = (count: number, where: string): string[] =>
    count === 0 ? [] : [layOut([[`    ${count} more ${where}`, "dim"]], look)];
  return [...more(first, "above"), ...lines.slice(first, first + room), ...more(rest, "below")];
}

function drawField(
  field: Field,
  entry: Entry,
  isCurrent: boolean,
  before: readonly Segment[],
  look: FormLook,
): Segment[] {
  const room = look.columns - 1 - widthOfSegments(before);
  return field.kind === "choice"
    ? drawChoice(field, entry, room, look)
    : drawTyped(field, entry, isCurrent, room, look);
}

function drawChoice({ choices }: ChoiceField, { picked }: Entry, room: number, look: FormLook): Segment[] {
  const { on, off } = signsOf(look);
  const all = choices.flatMap(({ label }, index): Segment[] => {
    const isPicked = index === picked;
    return [[index === 0 ? "" : "  "], [`${isPicked ? on : off} ${cleanLine(label)}`, isPicked ? "cyan" : undefined]];
  });
  if (widthOfSegments(all) <= room) return all;
  const chosen = picked === undefined ? undefined : choices[picked];
  if (chosen === undefined) return [[`${off} one of ${choices.length}`, "dim"]];
  return [
    [`${on} ${cutToWidth(cleanLine(chosen.label), room - 12)}`, "cyan"],
    [`  ${Number(picked) + 1}/${choices.length}`, "dim"],
  ];
}

function drawTyped(
  { fallback }: TextField,
  { typed }: Entry,
  isCurrent: boolean,
  room: number,
  look: FormLook,
): Segment[] {
  const shown: Segment[] =
    typed.text === "" && fallback !== undefined ? [[cutToWidth(cleanLine(fallback), room - 2), "dim"]] : [];
  if (!isCurrent) return typed.text === "" ? shown : [[cutToWidth(shownLine(typed.text), room)]];
  return [...drawAroundCursor(typed, room, signsOf(look).cursor), ...shown];
}

/** A text that is too long is seen around the place where it is being typed. */
function drawAroundCursor({ text, cursor }: TypedText, room: number, sign: string): Segment[] {
  let before = shownLine(text.slice(0, cursor));
  const after = shownLine(text.slice(cursor));
  const roomBefore = Math.max(1, room - 1 - Math.min(widthOf(after), Math.floor(room / 3)));
  while (widthOf(before) > roomBefore) before = before.slice(1);
  return [[before], [sign, "cyan"], [cutToWidth(after, Math.max(0, room - 1 - widthOf(before)))]];
}

/** Lines that were pasted stay one line on the screen. */
function shownLine(text: string): string {
  return cleanLine(text.replaceAll("\n", "⏎"));
}

function drawBelow(form: Form, state: FormState, look: FormLook): string[] {
  const { about } = form.fields[state.at] as Field;
  const wrapped = (text: string, style: Style): string[] =>
    wrapWords(text, look.columns - 1, { first: "  " }).map((line) => layOut([[line, style]], look));
  return [
    ...(about === "" ? [] : wrapped(cleanLine(about), "dim")),
    ...(state.problem === undefined ? [] : wrapped(cleanText(state.problem), "red")),
    ...wrapped([...keysOf(form, state, look), ...form.keys()].join(" · "), "dim"),
  ];
}

function keysOf(form: Form, state: FormState, look: FormLook): string[] {
  const { keys } = signsOf(look);
  const { fields } = form;
  const { at } = state;
  const field = fields[at] as Field;
  if (fields.length === 1) return field.kind === "choice" ? [`${keys} choose`, "Enter answer"] : ["Enter answer"];
  const sides = look.unicode ? "← →" : "Left/Right";
  const choosing = field.kind === "choice" ? [`${sides} choose`] : [];
  return [...choosing, `${keys} field`, isAnswer(form, state) ? "Enter answer" : "Enter next"];
}

function signsOf({ unicode }: FormLook): Signs {
  return unicode ? unicodeSigns : asciiSigns;
}

function layOut(segments: readonly Segment[], { columns, colour }: FormLook): string {
  return layOutLine(
    segments.filter(([text]) => text !== ""),
    Math.max(1, columns - 1),
    colour,
  );
}
