import type { InputProblem, Written } from "../../block/define-block.ts";
import { elementNames, type SuspectVariable } from "./explain-foreign-syntax.ts";

/** At `$item` or `${item}`: in a loop, and unless something sets it, it is most likely meant as the element. */
export function loopVariable(text: string, start: number, end: number): SuspectVariable | undefined {
  const written = text.slice(start, end);
  const name = /^\$(?:\{(\w+)\}|(\w+))$/.exec(written)?.slice(1).find(Boolean);
  if (name === undefined || !elementNames.has(name)) return undefined;
  const inBraces = written.startsWith("${");
  const problem = {
    code: "not-the-element",
    // Braces are how a reference is written; without them it may well be a variable that is set out of sight.
    level: inBraces ? "error" : "warning",
    message: `${written} is the shell's own variable, which nothing sets: it is empty for every element.`,
    fix: `Write \${each.value} for the element${inBraces ? `, or $${name} if a variable is meant` : ""}.`,
    start,
    end,
  } as const;
  return { name, problem };
}

/** Those that stay when the variables given under `env` are known. */
export function checkLoopVariables(found: readonly SuspectVariable[], env: Written | undefined): InputProblem[] {
  const given = namesIn(env);
  if (given === undefined) return [];
  return found.filter(({ name }) => !given.has(name)).map(({ problem }) => ({ ...problem, input: "command" }));
}

/** Nothing where they are known only at run time. */
function namesIn(env: Written | undefined): ReadonlySet<string> | undefined {
  if (env === undefined) return new Set();
  if (env.known) return new Set(Object.keys(Object(env.value)));
  return env.entries === undefined ? undefined : new Set(env.entries.map(([name]) => name));
}
