import { afterAll, describe, expect, test } from "vitest";
import { compileCommand } from "../../src/blocks/shell/compile-command.ts";
import { bySubscript, bySubstitution } from "./refused-scripts.ts";
import { Canary, runText, shells } from "./run-shell.ts";

/**
 * Every refusal costs an author something, so each has to be needed: real bash runs a command it finds in a variable that is
 * properly quoted there. In each script VALUE stands for it, and the same script with a reference in its place is refused.
 */
const canary = new Canary();
afterAll(() => canary.remove());

// A name that no script has: a variable that holds its own name is evaluated a thousand times over.
const subscript = `other[$(${canary.command})]`;
const substitution = `$(${canary.command})`;

interface Reason {
  readonly script: string;
  readonly value: string;
}

const byOtherValues: readonly Reason[] = [
  { script: 'declare -a x="VALUE"', value: `(${substitution})` },
  { script: 'readonly -a x="VALUE"', value: `(${substitution})` },
  { script: 'f() { local -a x="VALUE"; }; f', value: `(${substitution})` },
  { script: 'printf "VALUE" x', value: `-v${subscript}` },
  { script: 'sleep 0 & wait "VALUE" $!', value: `-p${subscript}` },
  { script: 'mapfile "VALUE" -c 1 x <<< y', value: `-C${canary.command};:` },
  { script: 'shopt -s expand_aliases; alias x="VALUE"\nx', value: canary.command },
  { script: `x="$(echo ${canary.command})"; "VALUE" "$x"`, value: "eval" },
  { script: 'x="VALUE"; $x bar', value: `eval ${canary.command};` },
  { script: 'x="VALUE"; $x/bin/tool', value: `eval ${canary.command};` },
  { script: '$(echo "VALUE") x', value: canary.command },
  { script: 'x="VALUE"; [ $x -gt 5 ]', value: `-v a[$(${canary.command.replace(" ", "${IFS}")})] -o 1` },
  { script: '[ $(echo "VALUE") -gt 5 ]', value: `-v a[$(${canary.command.replace(" ", "${IFS}")})] -o 1` },
  { script: 'n="VALUE"; f() { local -n r=n; (( r )); }; f', value: subscript },
  { script: 'x="VALUE"; printf "$x" y', value: `-v${subscript}` },
  { script: 'env "VALUE/bin/python3"', value: `-Ssh -c '${canary.command}' ` },
  { script: 'env -- "VALUE" bash -c :', value: `BASH_ENV=${substitution}` },
  { script: 'env - "VALUE" bash -c :', value: `BASH_ENV=${substitution}` },
];

const reasons: readonly Reason[] = [
  ...bySubscript.map((script) => ({ script, value: subscript })),
  ...bySubstitution.map((script) => ({ script, value: substitution })),
  ...byOtherValues,
];

describe.runIf(shells.includes("bash"))("bash", () => {
  test.each(reasons)("$script", ({ script, value }) => {
    const compiled = compileCommand(script.replaceAll("VALUE", "${inputs.v}"));
    expect(!compiled.ok || compiled.value.syntax !== undefined).toBe(true);
    const { stderr } = runText("bash", script.replaceAll("VALUE", "${F_1}"), canary.directory, undefined, {
      F_1: value,
    });
    expect({ script, stderr, ran: canary.sang() }).toEqual({ script, stderr, ran: true });
  });
});
