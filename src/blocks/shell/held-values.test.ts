import { describe, expect, test } from "vitest";
import { compileCommand } from "./compile-command.ts";

function errorsOf(command: string): string[] {
  const result = compileCommand(command);
  return result.ok ? [] : result.error.flatMap(({ level, code }) => (level === "error" ? [code] : []));
}

describe("a variable that holds a value is refused where bash evaluates its contents", () => {
  test.each([
    ["value-in-arithmetic", 'n="${inputs.v}"; echo $((n+1))'],
    ["value-in-arithmetic", "n=${inputs.v}; echo $(( $n + 1 ))"],
    ["value-in-arithmetic", "n=${inputs.v}; echo $(( ${n} + 1 ))"],
    ["value-in-arithmetic", "n=${inputs.v}; echo $[n]"],
    ["value-in-arithmetic", "retries=${inputs.v}; while (( retries-- > 0 )); do :; done"],
    ["value-in-arithmetic", "n=${inputs.v}; for ((i = 0; i < n; i++)); do :; done"],
    ["value-in-arithmetic", "n=${inputs.v}; [[ $n -gt 5 ]]"],
    ["value-in-arithmetic", "n=${inputs.v}; [[ 5 -lt n ]]"],
    ["value-in-arithmetic", 'n=${inputs.v}; x=abc; echo "${x:n}"'],
    ["value-in-arithmetic", 'n=${inputs.v}; x=abc; echo "${x:0:$n}"'],
    ["value-in-subscript", 'x=${inputs.v}; echo "${arr[$x]}"'],
    ["value-in-subscript", "x=${inputs.v}; arr[x]=1"],
    ["value-in-subscript", "x=${inputs.v}; arr=([x]=1)"],
    ["value-in-arithmetic", "declare -A m; x=${inputs.v}; (( m[$x]++ ))"],
    ["value-as-name", 'x=${inputs.v}; echo "${!x}"'],
    ["value-in-code", 'x=${inputs.v}; echo "${x@P}"'],
    ["value-in-arithmetic", "for p in ${inputs.list}; do [[ $p -gt 3 ]]; done"],
    ["value-in-arithmetic", 'IFS=, read -r lo hi <<< "${inputs.v}"; (( lo < hi ))'],
    ["value-in-arithmetic", 'echo "${inputs.v}" | while read n; do echo $((n*2)); done'],
    ["value-in-arithmetic", "while read n; do echo $((n*2)); done < <(echo ${inputs.v})"],
    ["value-in-arithmetic", "{ read n; } <<EOF\n${inputs.v}\nEOF\necho $((n))"],
    ["value-in-arithmetic", "read <<< ${inputs.v}; echo $((REPLY))"],
    ["value-in-arithmetic", "mapfile -t a <<< ${inputs.v}; echo $((a[0]))"],
    ["value-in-arithmetic", "set -- ${inputs.l}; echo $(( $1 ))"],
    ["value-in-arithmetic", 'f(){ (( $1 )); }; f "${inputs.v}"'],
    ["value-in-arithmetic", 'f(){ local n=$2; echo $((n)); }; f a "${inputs.v}"'],
    ["value-in-arithmetic", 'f(){ shift; echo $(($1)); }; f a "${inputs.v}"'],
    ["value-in-arithmetic", 'f(){ for a; do echo $((a)); done; }; f a "${inputs.v}"'],
    ["value-in-arithmetic", "function f { read n; echo $((n)); }; f <<< ${inputs.v}"],
    ["value-in-arithmetic", "f() { read n; echo $((n)); }; f <<< ${inputs.v}; f() { echo; }; f"],
    ["value-in-code", "n=${inputs.v}; p=n; declare -i z=$p"],
    ["value-in-arithmetic", "$SUDO read n <<< ${inputs.v}; echo $((n))"],
    ["value-in-code", "$SUDO eval ${inputs.v}"],
    ["value-in-code", "declare -i n; read n <<< ${inputs.v}"],
    ["value-in-code", "declare -i n; printf -v n %s ${inputs.v}"],
    ["value-in-code", "n=${inputs.v}; declare -i x; x=n"],
    ["value-in-code", "n=${inputs.v}; let n++ $n"],
    ["value-in-arithmetic", "n=${inputs.v}; let n++"],
    ["value-in-arithmetic", 'printf -v n %s "${inputs.v}"; echo $((n))'],
    ["value-in-arithmetic", 'n="${inputs.v}"; m=$n; k=a$m; echo $((k))'],
    ["value-in-arithmetic", "n=$(echo ${inputs.v}); echo $((n))"],
    ["value-in-arithmetic", "n=${inputs.v}; m=$(echo $n); echo $((m))"],
    ["value-in-arithmetic", "f() { echo ${inputs.v}; }; n=$(f); echo $((n))"],
    ["value-in-arithmetic", "f() { echo ${inputs.v}; }; echo $(( $(f) ))"],
    ["value-in-arithmetic", "f() { echo ${inputs.v}; }; g() { f; }; [[ $(g) -gt 1 ]]"],
    ["value-in-arithmetic", "f() { echo ${inputs.v}; }; read n < <(f); ((n))"],
    ["value-in-code", 'f() { echo ${inputs.v}; }; eval "$(f)"'],
    ["value-as-command", "f() { echo ${inputs.v}; }; $(f) x"],
    ["value-in-arithmetic", "n=${inputs.v}; echo $(( $(echo $n) ))"],
    ["value-in-arithmetic", ': "${n:=$m}"; m=${inputs.v}; echo $((n))'],
    ["value-in-arithmetic", "[[ ${inputs.v} =~ (.*) ]]; echo $((BASH_REMATCH[1]))"],
    ["value-in-arithmetic", "while getopts a: o; do echo $((OPTARG)); done; set -- -a ${inputs.v}"],
    ["value-in-arithmetic", "n=${inputs.v}; echo `echo $((n))`"],
    ["value-as-command", 'x="${inputs.v}"; $x bar'],
    ["value-as-command", 'x="${inputs.v}"; $x/bin/tool'],
    ["value-as-command", 'x=("${inputs.v}" $HOME); "${x[@]}"'],
    ["value-in-code", 'x="${inputs.v}"; eval "$x"'],
    ["value-in-code", 'x="${inputs.v}"; bash -c "$x"'],
    ["value-in-code", 'x="${inputs.v}"; trap "echo $x" EXIT'],
    ["value-in-code", 'x="${inputs.v}"; . "$x"'],
    ["value-in-code", 'x="${inputs.v}"; PS4=$x; set -x'],
    ["value-in-code", 'x=(bash -c); "${x[@]}" "${inputs.v}"'],
    ["value-in-code", 'run() { "$@"; }; run eval "${inputs.v}"'],
    ["value-in-code", 'retry() { shift; "$@"; }; retry 3 eval "${inputs.v}"'],
    ["value-in-code", 'run() { timeout 5 "$@"; }; run bash -c "${inputs.v}"'],
    ["value-as-name", 'x="${inputs.v}"; declare "$x=1"'],
    ["value-in-code", 'x="${inputs.v}"; declare -a y="$x"'],
    ["value-as-name", 'x="${inputs.v}"; printf -v "$x" a'],
    ["value-as-name", 'x="${inputs.v}"; [ -v "$x" ]'],
    ["value-as-option", "x=${inputs.v}; [ $x -gt 5 ]"],
    ["value-as-option", 'x=${inputs.v}; printf "$x"'],
    ["value-piped-to-interpreter", 'x="${inputs.v}"; echo "$x" | bash'],
  ])("%s: %s", (code, command) => {
    expect(errorsOf(command)).toContain(code);
  });
});

test("the problem points at the evaluated place and names what the variable holds", () => {
  const result = compileCommand('n="${inputs.v}"; echo $((n+1))');
  expect(result.ok ? [] : result.error).toEqual([
    expect.objectContaining({
      level: "error",
      start: 25,
      end: 26,
      message: "n stands where bash calculates with its contents.",
      why: expect.stringContaining("n holds ${inputs.v}. "),
      fix: expect.stringContaining("n=$(( ${inputs.v} ))"),
    }),
  ]);
});

test("a variable that holds a value is accepted where it stays text, or is known to be a number", () => {
  const commands = [
    'n="${inputs.v}"; echo "$n" $n; [ "$n" -gt 5 ]; case $n in a) ;; esac',
    'n="${inputs.v}"; [[ $n == a* && -n $n && -f $n ]]',
    'n="${inputs.v}"; echo "${n%%.*}" "${n:1:2}" "${#n}" $(( ${#n} + 1 )) "${n:-x}" "${n^^}"',
    "n=$(( ${inputs.n} )); echo $((n + 1)); for ((i = 0; i < n; i++)); do :; done; (( n > 1 ))",
    "n=$(printf '%s' \"${inputs.v}\" | wc -c); echo $((n + 1))",
    'x=${inputs.v}; n=$(printf %d "$x"); echo $((n + 1))',
    "n=$(date -d ${inputs.day} +%s); echo $(( n / 60 ))",
    'declare -A m; k=${inputs.v}; m[$k]=1; echo "${m[$k]}"',
    'a=(x "${inputs.v}"); echo "${a[@]}" "${#a[@]}" "${a[0]}"; for i in "${!a[@]}"; do echo "$i"; done',
    'cmd=(git commit -m "${inputs.v}"); cmd+=(--author "${inputs.w}"); "${cmd[@]}"; timeout 5 "${cmd[@]}"',
    'run() { echo "+ $*"; "$@"; }; run git commit -m "${inputs.v}"',
    'set -- git log; set -- "$@" "${inputs.v}"; "$@"',
    'f() { local a="$1" n=$2; echo "$a" $((n + 1)); }; f "${inputs.v}" 5',
    'for f in ${inputs.list}; do echo "$f"; done; i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done',
    'while IFS= read -r line; do echo "$line"; done <<< "${inputs.v}"; (( count += 1 ))',
    "if [[ ${inputs.v} =~ ^v([0-9]+)\\.([0-9]+)$ ]]; then echo $((BASH_REMATCH[1] + 1)); fi",
    'f() { local args=("$@"); local -a more=("$1"); echo "${args[@]}" "${more[@]}"; }; f "${inputs.v}"',
    "n=$(ls ${inputs.dir} | wc -l | tr -d ' '); echo $((n + 1)); [ $n -gt 3 ]",
    'f() { echo "${inputs.v}"; }; g() { echo 5; }; x="$(f)"; echo "$x" $(( $(g) + 1 ))',
    'x="${inputs.v}"; sh -c \'echo "$1"\' _ "$x"; ssh -- "$x" uptime',
    'x="${inputs.v}"; export x; readonly y="$x"; x="$x/a"; cd "$x" && ./run',
    'x="${inputs.v}"; eval "echo hi"; trap \'rm -f "$x"\' EXIT',
    'n="${inputs.v}"; echo "it is ((n)) and a[n]"',
    'git checkout -b "${inputs.v}"; n=$(git rev-list --count HEAD); echo $((n + 1))',
    "code=$(curl -s -o /dev/null -w '%{http_code}' \"${inputs.url}\"); [[ $code -eq 200 ]]",
    'git commit -m "${inputs.v}"; n=$(git log --oneline | wc -l); (( n > 3 ))',
  ];
  for (const command of commands) expect({ command, errors: errorsOf(command) }).toEqual({ command, errors: [] });
});
