export const browserActions = [
  "navigate",
  "click",
  "type",
  "select",
  "press",
  "extract",
  "wait",
  "assert",
  "scroll",
  "screenshot",
] as const;
export type BrowserAction = (typeof browserActions)[number];

interface InputsOfAction {
  /** Of each list at least one. */
  readonly needs: readonly (readonly string[])[];
  readonly takes: readonly string[];
  /** Whether it can change anything but what the browser shows: then it is not done twice, and can't be taken back. */
  readonly acts: boolean;
}

/** What each action does with the inputs that not all of them have. */
export const inputsOfAction: Readonly<Record<BrowserAction, InputsOfAction>> = {
  navigate: { needs: [["url"]], takes: [], acts: false },
  click: { needs: [["target"]], takes: ["nth"], acts: true },
  type: { needs: [["target"], ["value"]], takes: ["nth"], acts: true },
  select: { needs: [["target"], ["value"]], takes: ["nth"], acts: true },
  press: { needs: [["value"]], takes: ["target", "nth"], acts: true },
  extract: { needs: [], takes: ["target", "nth", "attribute", "all"], acts: false },
  wait: { needs: [["condition", "target"]], takes: ["target", "nth", "condition"], acts: false },
  assert: { needs: [["condition", "target"]], takes: ["target", "nth", "condition"], acts: false },
  scroll: { needs: [["target", "value"]], takes: ["target", "nth", "value"], acts: false },
  screenshot: { needs: [], takes: ["target", "nth", "full_page"], acts: false },
};
