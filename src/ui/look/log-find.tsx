import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { SignButton } from "./sign-button.tsx";

interface FindProps {
  /** What is looked for; absent until somebody wants to. */
  readonly text: string | undefined;
  /** How many lines match, and which of them is looked at, from 0. */
  readonly count: number;
  readonly position: number;
  change(text: string | undefined): void;
  step(step: 1 | -1): void;
}

/** Looks for a text in the log: Enter goes on, Escape ends it. */
export function LogFind({ text, count, position, change, step }: FindProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const isOpen = text !== undefined;
  useEffect(() => field.current?.focus(), [isOpen]);
  if (!isOpen) {
    return (
      <button type="button" class="plain small" onClick={() => change("")}>
        Find
      </button>
    );
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Escape would close the panel, too.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") change(undefined);
    else step(event.shiftKey ? -1 : 1);
  };
  const place = position === -1 ? `${count.toLocaleString("en-GB")} found` : `${position + 1} of ${count}`;
  return (
    <search class="log-find">
      <input
        ref={field}
        type="text"
        aria-label="Find in the log"
        placeholder="Find in the log"
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <output class="faint times">{text === "" ? "" : place}</output>
      <SignButton label="Previous" onClick={() => step(-1)}>
        ↑
      </SignButton>
      <SignButton label="Next" onClick={() => step(1)}>
        ↓
      </SignButton>
      <SignButton label="End the search" onClick={() => change(undefined)}>
        ×
      </SignButton>
    </search>
  );
}
