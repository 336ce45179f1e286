import { isList, isMap, type Value } from "../expression/value.ts";
import { quoteWord } from "../util/quote-word.ts";
import { err, ok } from "../util/result.ts";
import { type Action, block, defineAction } from "./action.ts";
import { count, type Form, flag, listOf, map, oneOf, text, words } from "./field.ts";

/** Shell text, or a program and its arguments. */
const commandForm: Form<string | readonly string[]> = (value) => {
  if (!isList(value)) return words(value);
  return value.length === 0 ? err("must not be empty") : listOf(text)(value);
};

/** A list is one argument each; a text is a part of the shell text. */
const argsForm: Form<string | readonly string[]> = (value) => (isList(value) ? listOf(text)(value) : text(value));

/** What the shell's own `${...}` could be taken for in a command of a workflow. */
const likeExpression = /\$\{\s*(?:inputs|blocks|metadata|vars|secrets|each|this|run|block)\b/;

/** Whether the text of a command could be read as one with expressions in it. */
export function looksLikeExpression(command: Value): boolean {
  return typeof command === "string" && likeExpression.test(command);
}

export const runCommand: Action = defineAction({
  name: "run_command",
  otherNames: [
    "execute_command",
    "shell_command",
    "run_shell",
    "shell",
    "bash",
    "command",
    "exec",
    "execute",
    "run",
    "terminal",
  ],
  fields: {
    command: { read: commandForm, otherNames: ["cmd", "shell", "script", "bash", "run", "code"], required: true },
    args: { read: argsForm, otherNames: ["arguments", "argv"] },
    working_directory: { read: text, otherNames: ["working_dir", "workdir", "cwd", "directory", "dir"] },
    env: { read: map, otherNames: ["environment", "env_vars", "environment_variables"] },
    stdin: { read: text, otherNames: ["input"] },
    strict: { read: flag },
  },
  toBlock({ command = "", args = [], working_directory, env, stdin, strict }) {
    const rest = { working_dir: working_directory === "" ? undefined : working_directory, env, stdin, strict };
    return ok(block("Shell", { ...commandInputs(command, args), ...rest }));
  },
});

/** A command is what it says: the values that a workflow would put into it are none of its own. */
function commandInputs(command: string | readonly string[], args: string | readonly string[]): Record<string, Value> {
  if (typeof command !== "string") return { args: [...command, ...(typeof args === "string" ? [args] : args)] };
  const program = command.trim();
  if (typeof args !== "string" && args.length > 0 && /^[\w@%+=:,./-]+$/.test(program))
    return { args: [program, ...args] };
  const added = typeof args === "string" ? args : args.map((word) => quoteWord(word, "posix")).join(" ");
  // A shell takes the \r before a line's end for a part of the last word.
  const script = (added === "" ? command : `${command} ${added}`).replaceAll("\r\n", "\n");
  return looksLikeExpression(script) ? { args: ["bash", "-c", script] } : { command: script };
}

const audience: Form<"human" | "llm"> = oneOf(["human", "llm"]);
const choices: Form<readonly string[]> = listOf(text);

export const getUserInput: Action = defineAction({
  name: "get_user_input",
  otherNames: ["ask_user", "user_input", "request_input", "prompt_user", "ask", "prompt", "confirm"],
  fields: {
    prompt: { read: words, otherNames: ["question", "message", "text", "input_prompt"], required: true },
    choices: { read: choices, otherNames: ["options"] },
    default: { read: text, otherNames: ["default_value"] },
    schema: { read: map },
    audience: { read: audience },
  },
  describedBy: "prompt",
  // The user is a person: a model that wrote the plan would else answer its own question.
  toBlock: ({ prompt, audience = "human", choices, default: fallback, schema }) =>
    ok(block("Prompt", { prompt, audience, choices, default: fallback, schema })),
});

/** A text, or a list of them. */
const valueForm: Form<string | readonly string[]> = (value) => (isList(value) ? listOf(text)(value) : text(value));

/** A state of the target, or a map of what has to be so. */
const conditionForm: Form<Value> = (value) => (isMap(value) ? ok(value) : text(value));

const position: Form<number> = count(-1000, 1000);

export const browserAct: Action = defineAction({
  name: "browser_act",
  otherNames: ["browser", "browser_action", "browse", "web"],
  fields: {
    action: { read: words, otherNames: ["browser_action", "operation", "act", "verb"] },
    url: { read: words, otherNames: ["href", "link", "address"] },
    target: { read: words, otherNames: ["selector", "locator", "element"] },
    nth: { read: position },
    value: { read: valueForm, otherNames: ["text", "input", "keys", "key", "option"] },
    condition: { read: conditionForm, otherNames: ["assertion", "expected"] },
    attribute: { read: words },
    all: { read: flag },
    path: { read: words, otherNames: ["screenshot_path", "file", "filename"] },
    full_page: { read: flag },
    session: { read: words, otherNames: ["session_id"] },
    allow_private: { read: flag },
  },
  toBlock({ action, url, ...fields }) {
    const asked = action ?? (url === undefined ? undefined : "navigate");
    if (asked === undefined) {
      return err({ message: "has no 'action'.", fix: "Say what to do: navigate, click, type, extract, ..." });
    }
    return ok(block("Browser", { action: asked, url, ...fields }));
  },
});
