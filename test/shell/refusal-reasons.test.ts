import { afterAll, describe, expect, test } from "vitest";
import { compileCommand } from "../../src/blocks/shell/compile-command.ts";
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
  'n="VALUE"; echo $((n+1))',
  'n="VALUE"; echo $(( $n + 1 ))',
  'n="VALUE"; echo `echo $((n))`',
  'retries="VALUE"; while (( retries-- > 0 )); do :; done',
  'n="VALUE"; [[ $n -gt 5 ]]',
  'n="VALUE"; [[ 5 -lt n ]]',
  'n="VALUE"; x=abc; echo "${x:n}"',
  'x="VALUE"; arr=(1); echo "${arr[$x]}"',
  'x="VALUE"; arr[x]=1',
  'x="VALUE"; echo "${!x}"',
  'for p in "VALUE"; do [[ $p -gt 3 ]]; done',
  'IFS=, read -r lo hi <<< "VALUE"; (( lo < hi ))',
  'echo "VALUE" | while read n; do echo $((n*2)); done',
  'while read n; do echo $((n)); done < <(printf "%s\\n" "VALUE")',
  'read <<< "VALUE"; echo $((REPLY))',
  'mapfile -t a <<< "VALUE"; echo $((a[0]))',
  'set -- "VALUE"; echo $(( $1 ))',
  'f(){ (( $1 )); }; f "VALUE"',
  'f(){ shift; local n=$1; (( n )); }; f a "VALUE"',
  'f(){ for a; do echo $((a)); done; }; f "VALUE"',
  'f(){ read n; echo $((n)); }; f <<< "VALUE"',
  'declare -i n; read n <<< "VALUE"',
  'declare -i n; printf -v n %s "VALUE"',
  'n="VALUE"; declare -i x; x=n',
  'n="VALUE"; let n++',
  'printf -v n %s "VALUE"; echo $((n))',
  'n="VALUE"; m=$n; echo $((m))',
  'n=$(echo "VALUE"); echo $((n))',
  'm="VALUE"; : "${n:=$m}"; echo $((n))',
  '[[ "VALUE" =~ (.*) ]]; echo $((BASH_REMATCH[1]))',
  'set -- -a "VALUE"; while getopts a: o; do echo $((OPTARG)); done',
  'x="VALUE"; [ -v "$x" ]',
  'x="VALUE"; declare "$x=1"',
  '{a["VALUE"]}>file',
  "echo $\\\n(( VALUE ))",
  "(\\\n( VALUE ))",
  "for (\\\n(i = VALUE; i < 1; i++)); do :; done",
  "echo $\\\n{x[VALUE]}",
  'echo "$\\\n(( VALUE ))"',
  "cat <<EOF\n$\\\n(( VALUE ))\nEOF",
  'f+() [[ -v "VALUE" ]]\nf+',
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
  'x="VALUE"; eval "$x"',
  'x="VALUE"; bash -c "$x"',
  'x="VALUE"; trap "$x" EXIT',
  'x="VALUE"; echo "${x@P}"',
  'x=(bash -c); "${x[@]}" "VALUE"',
  'run() { "$@"; }; run eval "VALUE"',
  'x="VALUE"; echo "$x" | bash',
  'echo "VALUE" | bash',
  'bash /dev/fd/3 3<<< "VALUE"',
  ". /dev/fd/3 3<<EOF\nVALUE\nEOF",
  'bash //dev/stdin <<< "VALUE"',
  'exec <<< "VALUE"; bash',
  'f(){ bash; }; f <<< "VALUE"',
  'echo "VALUE" > >(bash); sleep 0.3',
  'echo "VALUE" | tee >(sh) | cat',
  'bash --rcfile <(echo "VALUE") -i </dev/null',
  "$'\\145val' \"VALUE\"",
  '/bin/b?sh -c "VALUE"',
  '{bash,-c} "VALUE"',
];

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
