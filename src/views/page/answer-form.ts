import type { PageField as Field, PageButton, PageForm } from "./act-records.ts";
import { fieldsOfSchema } from "./fields-of-schema.ts";
import type { PageQuestion } from "./page-records.ts";

/** More choices than these are a list to choose from. */
const mostButtons = 4;
/** A property of this name is what the answer is about; all others go with it. */
const decisions = ["decision", "answer", "action", "choice", "verdict", "approved"];

/** How a question is answered on the page. */
export function formOf(question: Omit<PageQuestion, "form" | "title" | "more" | "asks">): PageForm {
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

const sendButton: PageButton = { label: "Send the answer", takes_fields: true };

function choiceButton({ name }: Field, choice: unknown): PageButton {
  const label = wordButton(name, choice);
  return { label, takes_fields: name !== "", value: choice, ...(name === "" ? {} : { name }) };
}

function wordButton(name: string, choice: unknown): string {
  if (typeof choice === "boolean") {
    const [yes, no] = name === "approved" ? ["Approve", "Reject"] : ["Yes", "No"];
    return choice ? yes : no;
  }
  const text = typeof choice === "string" ? choice : JSON.stringify(choice);
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}

const budgetForm: PageForm = {
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
    { label: "Raise the limit", means: "what waits goes on", takes_fields: true },
    { label: "Stop", means: "nothing else starts", takes_fields: false, value: "stop" },
    {
      label: "Roll back",
      means: "nothing else starts, and what was done is undone",
      takes_fields: false,
      value: "rollback",
    },
  ],
};

const interruptionWords: Readonly<Record<string, readonly [label: string, means: string]>> = {
  rerun: ["Run it again", "on what is there now"],
  done: ["Take it as done", "a success, with what it has written so far"],
  fail: ["Let it fail", "what needs it is skipped"],
};

function interruptionButton(choice: string): PageButton {
  const [label, means] = interruptionWords[choice] ?? [choice, ""];
  return { label, means, takes_fields: false, value: choice };
}
