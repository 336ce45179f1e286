import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ValueLine } from "../../views/page/detail-records.ts";
import { Diff } from "./diff.tsx";
import { jsonLinesOf } from "./json-lines.ts";
import { JsonText } from "./json-text.tsx";
import "./value.css";

interface ValueProps {
  readonly line: ValueLine;
  /** Reads the whole value, where it is cut. */
  load(): Promise<string>;
}

/** What fits into two lines of the panel. */
const shortLength = 72;

/** A value by its name, as people read it. What is longer than two lines unfolds. */
export function Value({ line, load }: ValueProps): JSX.Element {
  const { name, text, length } = line;
  const [isOpen, setOpen] = useState(false);
  const isShort = length === undefined && text.length <= shortLength && !text.trimEnd().includes("\n");
  if (isShort) {
    return (
      <div class="value">
        <dt>{name}</dt>
        <dd>
          <code>{text === "" ? <i class="faint">empty</i> : text}</code>
        </dd>
      </div>
    );
  }
  return (
    <div class="value">
      <dt>{name}</dt>
      <dd>
        <button type="button" class="value-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          <code>{text.slice(0, 200).replace(/\s+/g, " ")}</code>
          <span class="faint times">{sizeOf(length ?? text.length)}</span>
        </button>
      </dd>
      {isOpen && <WholeValue line={line} load={load} />}
    </div>
  );
}

function WholeValue({ line: { name, text, length }, load }: ValueProps): JSX.Element {
  const [whole, setWhole] = useState<string>();
  const [says, setSays] = useState("");
  const shown = whole ?? text;
  const isCut = length !== undefined && whole === undefined;
  const json = useMemo(() => (isCut ? undefined : jsonLinesOf(shown)), [shown, isCut]);
  const readAll = async (): Promise<string> => {
    const all = isCut ? await load() : shown;
    setWhole(all);
    return all;
  };
  const attempt = (done: Promise<unknown>, word: string): void => {
    done.then(
      () => setSays(word),
      (problem: Error) => setSays(problem.message),
    );
  };
  const copy = async (): Promise<void> => navigator.clipboard.writeText(await readAll());
  return (
    <dd class="value-whole">
      {isDiff(shown) ? (
        <Diff text={shown} label={name} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
        <section class="value-text" aria-label={name} tabIndex={0}>
          {json === undefined ? shown : <JsonText lines={json} />}
          {isCut && "…"}
        </section>
      )}
      <div class="value-tools">
        {isCut && (
          <button type="button" class="small" onClick={() => attempt(readAll(), "")}>
            Show all {length.toLocaleString("en-GB")} characters
          </button>
        )}
        <button type="button" class="plain small" onClick={() => attempt(copy(), "Copied")}>
          Copy
        </button>
        <output class="faint">{says}</output>
      </div>
    </dd>
  );
}

/** Blocks that edit files give one, and so do commands of git. */
function isDiff(text: string): boolean {
  return /^(?:diff --git |--- )/.test(text) && text.includes("\n@@ -");
}

function sizeOf(characters: number): string {
  return `${characters < 10_000 ? characters.toLocaleString("en-GB") : `${Math.round(characters / 1000)}k`} characters`;
}
