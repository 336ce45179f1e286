import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import { ciSnippets } from "./ci-snippets.ts";
import { declaredInputs } from "./declared-inputs.ts";
import { moreCiSnippets } from "./more-ci-snippets.ts";

/** A command as somebody writes it in CI. */
export interface Snippet {
  readonly name: string;
  readonly command: string;
}

/** How many ordinary commands are refused or warned of, and which. */
export function countRefusals(check: (text: string) => readonly Diagnostic[]): readonly string[] {
  return [
    ...countIn("ordinary CI commands, all inputs texts", ciSnippets, check, {}),
    ...countIn("ordinary CI commands, inputs declared", ciSnippets, check, declaredInputs),
    ...countIn("further CI commands, all inputs texts", moreCiSnippets, check, {}),
    ...countIn("further CI commands, inputs declared", moreCiSnippets, check, declaredInputs),
  ];
}

function countIn(
  what: string,
  snippets: readonly Snippet[],
  check: (text: string) => readonly Diagnostic[],
  declared: Readonly<Record<string, object>>,
): readonly string[] {
  const judged = snippets.map(({ name, command }) => ({ name, diagnostics: check(workflowOf(command, declared)) }));
  const refused = judged.filter(({ diagnostics }) => diagnostics.some(({ level }) => level === "error"));
  const warned = judged.filter(
    (one) => !refused.includes(one) && one.diagnostics.some(({ level }) => level === "warning"),
  );
  const clean = snippets.length - refused.length - warned.length;
  const named = (verdict: string, ones: typeof judged): string[] =>
    ones.map(({ name, diagnostics }) => {
      const reason = diagnostics.find(({ level }) => level === (verdict === "refused" ? "error" : "warning"));
      return `       ${verdict}: ${name} (${reason?.code})`;
    });
  return [
    `     ${what}: ${snippets.length}, clean ${clean}, warned ${warned.length}, refused ${refused.length}`,
    ...named("refused", refused),
    ...named("warned", warned),
  ];
}

/** Inputs are texts unless they are declared otherwise, and the blocks that are read run before: a question if its answer is read, else a command. */
export function workflowOf(command: string, declared: Readonly<Record<string, object>>): string {
  const inputs = new Set([...command.matchAll(/\$\{inputs\.(\w+)\}/g)].map(([, name]) => name));
  const blocks = new Map([...command.matchAll(/\$\{blocks\.(\w+)\.(\w+)\}/g)].map(([, id, output]) => [id, output]));
  return JSON.stringify({
    name: "snippet",
    description: "Measured",
    inputs: Object.fromEntries(
      [...inputs].map((name = "") => [name, { type: "string", description: "A value", ...declared[name] }]),
    ),
    blocks: [
      ...[...blocks].map(([id, output]) =>
        output === "response"
          ? { id, type: "Prompt", inputs: { prompt: "Which?" } }
          : { id, type: "Shell", inputs: { command: "git ls-files" } },
      ),
      { id: "snippet", type: "Shell", inputs: { command } },
    ],
  });
}
