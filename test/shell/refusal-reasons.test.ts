import { afterAll, describe, expect, test } from "vitest";
import { compileCommand } from "../../src/blocks/shell/compile-command.ts";
import { Canary, runText, shells } from "./run-shell.ts";

/**
 * Every refusal costs an author something, so each has to be needed: real bash runs a command it finds in a variable that is
 * properly quoted there. In each script VALUE stands for it, and the same script with a reference in its place is refused.
 */
const canary = new Canary();
afterAll(() => canary.remove());

const subscript = `a[$(${canary.command})]`;
const substitution = `$(${canary.command})`;

interface Reason {
  readonly script: string;
  readonly value: string;
}

const bySubscript = [
  '[[ "VALUE" -gt 5 ]]',
  '[[ 5 -eq "VALUE" ]]',
  '[[ -v "VALUE" ]]',
  '(( "VALUE" > 5 ))',
  'for ((i = "VALUE"; i < 1; i++)); do :; done',
  "echo $[ VALUE ]",
  'a["VALUE"]=1',
  'a=(["VALUE"]=1)',
  'echo "${a["VALUE"]}"',
  'x=abc; echo "${x:VALUE}"',
  'x=abc; echo "${x:1:VALUE}"',
  'x=abc; echo "${x:$(printf %s "VALUE"):1}"',
  'echo $(( $(printf %s "VALUE") ))',
  'let "VALUE"',
  'let x="VALUE"',
  'declare "VALUE=1"',
  'declare -i x="VALUE"',
  'typeset "VALUE=1"',
  'f() { local "VALUE=1"; }; f',
  'f() { local -i x="VALUE"; }; f',
  'read "VALUE" <<< x',
  'printf -v "VALUE" x',
  'test -v "VALUE"',
  '[ -v "VALUE" ]',
  '[ -n x -a -v "VALUE" ]',
  'sleep 0 & wait -n -p "VALUE"',
  'declare -i x; x="VALUE"',
  'declare -i x; for x in "VALUE"; do :; done',
  'declare -ai x; x=("VALUE")',
  'declare -ix x; export x="VALUE"',
  'declare -n r; r="VALUE"; r=1',
  'RANDOM="VALUE"',
  'OPTIND="VALUE"',
];

const bySubstitution = [
  'eval "VALUE"',
  'command eval "VALUE"',
  'builtin eval "VALUE"',
  'time eval "VALUE"',
  'trap "VALUE" EXIT',
  'source <(printf %s "VALUE")',
  '. /dev/stdin <<< "VALUE"',
  'compgen -W "VALUE"',
  'PS4="VALUE"; set -x; :',
  'BASH_ENV="VALUE" bash -c :',
  'env BASH_ENV="VALUE" bash -c :',
  'declare -A m; unset "m[VALUE]"',
  'bash -c "VALUE"',
  'exec bash -c "VALUE"',
  'timeout 5 bash -euo pipefail -c "VALUE"',
  'bash <(printf %s "VALUE")',
  'bash <<< "VALUE"',
  "bash <<EOF\nVALUE\nEOF",
  "{ bash; } <<EOF\nVALUE\nEOF",
  'find . -maxdepth 0 -exec sh -c "VALUE" \\;',
  'echo x | xargs sh -c "VALUE"',
];

const byOtherValues: readonly Reason[] = [
  { script: 'declare -a x="VALUE"', value: `(${substitution})` },
  { script: 'readonly -a x="VALUE"', value: `(${substitution})` },
  { script: 'f() { local -a x="VALUE"; }; f', value: `(${substitution})` },
  { script: 'printf "VALUE" x', value: `-v${subscript}` },
  { script: 'sleep 0 & wait "VALUE" $!', value: `-p${subscript}` },
  { script: 'mapfile "VALUE" -c 1 x <<< y', value: `-C${canary.command};:` },
  { script: 'shopt -s expand_aliases; alias x="VALUE"\nx', value: canary.command },
  { script: `x="${canary.command}"; "VALUE" "$x"`, value: "eval" },
];

const reasons: readonly Reason[] = [
  ...bySubscript.map((script) => ({ script, value: subscript })),
  ...bySubstitution.map((script) => ({ script, value: substitution })),
  ...byOtherValues,
];

describe.runIf(shells.includes("bash"))("bash", () => {
  test.each(reasons)("$script", ({ script, value }) => {
    expect(compileCommand(script.replaceAll("VALUE", "${inputs.v}"))).toMatchObject({ ok: false });
    const { stderr } = runText("bash", script.replaceAll("VALUE", "${F_1}"), canary.directory, undefined, {
      F_1: value,
    });
    expect({ script, stderr, ran: canary.sang() }).toEqual({ script, stderr, ran: true });
  });
});
