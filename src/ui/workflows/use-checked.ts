import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkflowChecked } from "../../views/page/workflow-records.ts";
import type { Source } from "../data/source.ts";

/** After the last key, before the text is checked; and before the shells are asked as well. */
const typingMs = 250;
const restingMs = 1200;

export interface Checked {
  readonly answer?: WorkflowChecked;
  /** The text that the answer is of. */
  readonly text: string;
  readonly failure?: string;
}

/** What the server says of a text: only one is under way at a time, and the latest text has the last word. */
export function useChecked(source: Source, text: string): Checked {
  const [checked, setChecked] = useState<Checked>({ text: "" });
  const wanted = useRef<{ text: string; thorough: boolean } | undefined>(undefined);
  const isBusy = useRef(false);
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  useEffect(() => {
    const check = async (): Promise<void> => {
      if (isBusy.current) return;
      isBusy.current = true;
      for (let next = wanted.current; next !== undefined && !isGone.current; next = wanted.current) {
        wanted.current = undefined;
        const { text: asked, thorough } = next;
        const body = { workflow_yaml: asked, thorough };
        const found = await source.post<WorkflowChecked>("/validate", body).then(
          (answer): Checked => ({ answer, text: asked }),
          (error: Error): Checked => ({ failure: error.message, text: asked }),
        );
        // What was typed meanwhile is checked next; an answer to the text before is better than none.
        if (!isGone.current) setChecked((before) => (found.answer === undefined ? { ...before, ...found } : found));
      }
      isBusy.current = false;
    };
    const ask = (thorough: boolean): void => {
      wanted.current = { text, thorough };
      void check();
    };
    const typing = setTimeout(() => ask(false), typingMs);
    const resting = setTimeout(() => ask(true), restingMs);
    return () => {
      clearTimeout(typing);
      clearTimeout(resting);
    };
  }, [source, text]);
  return checked;
}
