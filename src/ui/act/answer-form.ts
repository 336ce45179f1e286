import type { PageQuestion } from "../../views/page/page-records.ts";
import type { Field, FieldProblems } from "./field.ts";
import { fieldsOfSchema } from "./fields-of-schema.ts";

/** How a question is answered: fields to fill in, and a button for each way to send them. */
export interface AnswerForm {
  readonly fields: readonly Field[];
  readonly buttons: readonly AnswerButton[];
}

export interface AnswerButton {
  readonly label: string;
  /** What happens then, where the words on the button don't say it. */
  readonly means?: string;
  /** Whether the fields count; else the answer is said by the button alone. */
  readonly takesFields: boolean;
  /** The answer, given what the fields hold. */
  answer(entered: unknown): unknown;
}

/** More choices than these are a list to choose from. */
const mostButtons = 4;
/** A property of this name is what the answer is about; all others go with it. */
const decisions = ["decision", "answer", "action", "choice", "verdict", "approved"];

export function formOf(question: PageQuestion): AnswerForm {
  const { about, schema, choices, default: usual } = question;
  if (about === "budget") return budgetForm;
  if (about === "interruption") return { fields: [], buttons: (choices ?? []).map(interruptionButton) };
  const fields = fieldsOfSchema(schema, choices, usual);
  const decision = fields.find((field) => isDecision(field));
  if (decision === undefined) return { fields, buttons: [sendButton] };
  const others = fields.filter((field) => field !== decision);
  return { fields: others, buttons: choicesOf(decision).map((choice) => choiceButton(decision, choice)) };
}

function isDecision(field: Field): boolean {
  const { name, required } = field;
  const count = choicesOf(field).length;
  return count >= 2 && count <= mostButtons && (name === "" || (required && decisions.includes(name)));
}

function choicesOf({ kind, choices }: Field): readonly unknown[] {
  return choices ?? (kind === "boolean" ? [true, false] : []);
}

const sendButton: AnswerButton = { label: "Send the answer", takesFields: true, answer: (entered) => entered };

function choiceButton({ name }: Field, choice: unknown): AnswerButton {
  return {
    label: wordButton(name, choice),
    takesFields: true,
    answer: (entered) => (name === "" ? choice : { ...(entered as object), [name]: choice }),
  };
}

function wordButton(name: string, choice: unknown): string {
  if (typeof choice === "boolean") {
    const [yes, no] = name === "approved" ? ["Approve", "Reject"] : ["Yes", "No"];
    return choice ? yes : no;
  }
  const text = typeof choice === "string" ? choice : JSON.stringify(choice);
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}

const budgetForm: AnswerForm = {
  fields: [
    {
      name: "",
      label: "New limit",
      description: "or how much more, such as +1",
      kind: "text",
      required: true,
    },
  ],
  buttons: [
    { label: "Raise the limit", means: "what waits goes on", takesFields: true, answer: (entered) => entered },
    { label: "Stop", means: "nothing else starts", takesFields: false, answer: () => "stop" },
    {
      label: "Roll back",
      means: "nothing else starts, and what was done is undone",
      takesFields: false,
      answer: () => "rollback",
    },
  ],
};

const interruptionWords: Readonly<Record<string, readonly [label: string, means: string]>> = {
  rerun: ["Run it again", "on what is there now"],
  done: ["Take it as done", "a success, with what it has written so far"],
  fail: ["Let it fail", "what needs it is skipped"],
};

function interruptionButton(choice: string): AnswerButton {
  const [label, means] = interruptionWords[choice] ?? [choice, ""];
  return { label, means, takesFields: false, answer: () => choice };
}

/** The server's reasons beside the fields that they are about: `answer.count must be at least 3`. */
export function problemsOf(message: string, fields: readonly Field[]): FieldProblems {
  const found: Record<string, string> = {};
  const reasons = message.replace(/^The answer does not fit: /, "").replace(/\.$/, "");
  for (const reason of reasons.split("; ")) {
    const [, name = "", words = ""] = /^answer(?:\.([^. [\]]+)\S*)? (.*)$/.exec(reason) ?? [];
    const [, missing] = /^needs '(.*)'$/.exec(words) ?? [];
    const field = fields.find((one) => one.name === (missing ?? name));
    if (field !== undefined && words !== "") found[field.name] ??= `It ${missing === undefined ? words : "is needed"}.`;
  }
  return found;
}
