import { describe, expect, test } from "vitest";
import type { CommandProblem } from "./command-problem.ts";
import { compileCommand } from "./compile-command.ts";

function problemsOf(command: string): readonly CommandProblem[] {
  const result = compileCommand(command);
  return result.ok ? [] : result.error;
}

function codesOf(command: string): string[] {
  return problemsOf(command).map((problem) => problem.code);
}

describe("where bash evaluates contents, a value is refused with a way out", () => {
  test.each([
    ["value-in-backticks", "echo `echo ${inputs.v}`"],
    ["value-in-backticks", 'echo "a `echo ${inputs.v}`"'],
    ["value-in-backticks", "cat <<EOF\n`echo ${inputs.v}`\nEOF"],
    ["value-in-expansion", "echo ${x#${inputs.v}}"],
    ["value-in-expansion", 'echo "${x%%${inputs.v}}"'],
    ["value-in-expansion", "echo ${x/${inputs.v}/b}"],
    ["value-in-expansion", "echo ${x/b/'${inputs.v}'}"],
    ["value-in-expansion", "echo ${x:=${inputs.v}}"],
    ["value-in-expansion", "echo ${x:?${inputs.v}}"],
    ["value-in-expansion", "echo ${!${inputs.v}}"],
    ["value-in-expansion", "echo ${${inputs.v}}"],
    ["value-in-expansion", "echo ${#${inputs.v}}"],
    ["value-in-expansion", "echo ${x#$(echo ${inputs.v})}"],
    ["value-in-arithmetic", "echo ${x:${inputs.v}}"],
    ["value-in-arithmetic", 'echo "${x:1:${inputs.v}}"'],
    ["value-in-arithmetic", "echo ${x:$(echo ${inputs.v}):1}"],
    ["value-in-subscript", "echo ${x[${inputs.v}]}"],
    ["value-in-subscript", "a[${inputs.v}]=1"],
    ["value-in-subscript", "a[1 + ${inputs.v}]=1"],
    ["value-in-subscript", "a[$(echo ${inputs.v})]+=1"],
    ["value-in-subscript", "A=1 a['${inputs.v}']=1 true"],
    ["value-in-subscript", "a=([${inputs.v}]=1)"],
    ["value-in-arithmetic", "((${inputs.v} > 5))"],
    ["value-in-arithmetic", '(( x = "${inputs.v}" ))'],
    ["value-in-arithmetic", "for ((i = ${inputs.v}; i < 3; i++)); do :; done"],
    ["value-in-arithmetic", "echo $[${inputs.v}]"],
    ["value-in-arithmetic", "echo $(( $(echo ${inputs.v}) ))"],
    ["value-in-arithmetic", "[[ ${inputs.v} -gt 5 ]]"],
    ["value-in-arithmetic", '[[ 5 -eq "${inputs.v}" ]]'],
    ["value-in-arithmetic", "[[ a == b || ( $(echo ${inputs.v}) -le 5 ) ]]"],
    ["value-as-name", "[[ -v ${inputs.v} ]]"],
    ["value-as-name", "[[ ! -v a[${inputs.v}] ]]"],
    ["value-as-name", "for ${inputs.v} in a; do :; done"],
    ["value-in-delimiter", "cat <<${inputs.v}\nx\n${inputs.v}"],
    ["value-in-code", "declare -i n; n=${inputs.v}"],
    ["value-in-code", "declare -i n; for n in ${inputs.v}; do :; done"],
    ["value-in-code", "f() { local -n r=$1; }; r=${inputs.v}"],
    ["value-in-code", "declare -ai n; n=(${inputs.v})"],
    ["value-in-code", "PS4=${inputs.v}; set -x"],
    ["value-in-code", "BASH_ENV=${inputs.v} bash script.sh"],
    ["value-in-code", "env BASH_ENV=${inputs.v} bash script.sh"],
    ["value-in-code", 'export PS4="${inputs.v}"'],
    ["value-in-code", "RANDOM=${inputs.v}"],
    ["value-in-code", 'x=(); declare x="${inputs.v}"'],
    ["value-as-command", '${inputs.v} "${inputs.w}"'],
    ["value-as-command", '"${inputs.v}" $HOME'],
    ["value-as-command", "${inputs.v} $(cat x)"],
    ["value-as-command", "${inputs.v}=1"],
    ["value-as-command", "sudo ${inputs.v} ${inputs.w}"],
    ["value-in-code", '"${inputs.v}" <<EOF\n${inputs.w}\nEOF'],
  ])("%s: %s", (code, command) => {
    expect(codesOf(command)).toContain(code);
    for (const problem of problemsOf(command)) {
      expect(problem.fix).toBeTruthy();
      expect(problem.start).toBeLessThan(problem.end);
    }
  });
});

/** Commands that evaluate an argument; each is also tried behind every disguise it can have. */
const builtins: readonly (readonly [string, string])[] = [
  ["value-in-code", 'eval "echo ${inputs.v}"'],
  ["value-in-code", "eval '${inputs.v}'"],
  ["value-in-code", 'e"va"l $(echo ${inputs.v})'],
  ["value-in-code", "\\eval x ${A:-${inputs.v}}"],
  ["value-in-code", "source ${inputs.v}"],
  ["value-in-code", ". <(echo ${inputs.v})"],
  ["value-in-code", 'trap "echo ${inputs.v}" EXIT'],
  ["value-in-code", 'alias x="${inputs.v}"'],
  ["value-in-code", "let x=${inputs.v}"],
  ["value-in-code", "compgen -W ${inputs.v}"],
  ["value-as-name", 'declare "${inputs.v}=1"'],
  ["value-as-name", "typeset -i x=${inputs.v}"],
  ["value-as-name", "export ${inputs.v}=1"],
  ["value-as-name", 'export "${inputs.v}"'],
  ["value-as-name", "readonly ${inputs.v}"],
  ["value-in-code", "readonly -a x=${inputs.v}"],
  ["value-as-name", "unset ${inputs.v}"],
  ["value-as-name", "read -r ${inputs.v}"],
  ["value-as-name", "mapfile -t ${inputs.v}"],
  ["value-as-name", "readarray ${inputs.v}"],
  ["value-as-name", "printf -v ${inputs.v} x"],
  ["value-as-name", "printf -v${inputs.v} x"],
  ["value-as-option", "printf ${inputs.v} x"],
  ["value-as-option", 'printf "$(echo ${inputs.v})" x'],
  ["value-as-name", "test -v ${inputs.v}"],
  ["value-as-name", "[ -n x -a -v a[${inputs.v}] ]"],
  ["value-as-option", "[ ${inputs.a} ${inputs.b} ]"],
  ["value-as-name", "wait -n -p ${inputs.v}"],
  ["value-as-option", "wait ${inputs.v}"],
];

const programs: readonly (readonly [string, string])[] = [
  ["value-in-code", 'bash -c "echo ${inputs.v}"'],
  ["value-in-code", "sh -c 'echo ${inputs.v}'"],
  ["value-in-code", 'bash -euo pipefail -c "echo ${inputs.v}"'],
  ["value-in-code", 'bash --norc -O extglob -lc "echo ${inputs.v}" _ x'],
  ["value-in-code", 'bash -c -e -- "echo ${inputs.v}"'],
  ["value-in-code", 'bash $FLAGS -c "echo ${inputs.v}"'],
  ["value-in-code", '/bin/bash -c "$(cat ${inputs.v})"'],
  ["value-in-code", "bash <(echo ${inputs.v})"],
  ["value-in-code", '/usr/local/bin/zsh -c "echo ${inputs.v}"'],
  ["value-as-option", "bash ${inputs.v}"],
  ["value-as-option", "python3 ${inputs.v}"],
  ["value-in-code", "python3 -c \"print('${inputs.v}')\""],
  ["value-in-code", 'python3.12 -Ic "${inputs.v}"'],
  ["value-in-code", 'python3 "-cprint(${inputs.v})"'],
  ["value-in-code", 'node -e "console.log(${inputs.v})"'],
  ["value-in-code", 'node --eval="${inputs.v}"'],
  ["value-in-code", 'node -pe "${inputs.v}"'],
  ["value-in-code", 'perl -ne "print if /${inputs.v}/"'],
  ["value-in-code", 'perl -MFoo -e"${inputs.v}"'],
  ["value-in-code", 'ruby -rjson -e "${inputs.v}"'],
  ["value-in-code", 'php -r "${inputs.v}"'],
  ["value-in-code", 'ssh host "ls ${inputs.v}"'],
  ["value-in-code", "ssh -p 22 host ls ${inputs.v}"],
  ["value-as-option", "ssh ${inputs.v} ls"],
  ["value-as-option", 'ssh -o "ProxyCommand=${inputs.v}" host'],
  ["value-in-code", 'su bob -c "ls ${inputs.v}"'],
  ["value-as-option", "su ${inputs.v}"],
  ["value-in-code", "watch ls ${inputs.v}"],
  ["value-in-code", "parallel echo ::: ${inputs.v}"],
  ["value-in-code", 'flock file -c "ls ${inputs.v}"'],
  ["value-in-code", 'env -S "ls ${inputs.v}"'],
  ["value-in-code", "bash <<EOF\necho ${inputs.v}\nEOF"],
  ["value-in-code", "bash -s <<'EOF'\necho ${inputs.v}\nEOF"],
  ["value-in-code", "sh /dev/stdin <<-EOF\necho ${inputs.v}\nEOF"],
  ["value-in-code", "python3 - <<EOF\nprint('${inputs.v}')\nEOF"],
  ["value-in-code", 'bash <<< "${inputs.v}"'],
  ["value-in-code", "bash < <(echo ${inputs.v})"],
  ["value-in-code", "ssh host <<EOF\n${inputs.v}\nEOF"],
  ["value-in-code", "ssh host sudo bash -s <<EOF\n${inputs.v}\nEOF"],
];

const grammarDisguises = [
  ...[
    "X",
    "A=1 X",
    "A=1 B='2 3' X",
    "! X",
    "time X",
    "time -p X",
    ">out X",
    "2>/dev/null X",
    "true; X",
    "true && X",
    "true | X",
    "a=(1 2); X",
  ],
  ...[
    "{ X\n}",
    "( X\n)",
    "if X\nthen :; fi",
    "if true; then X\nfi",
    "if true; then :; else X\nfi",
    "while X\ndo :; done",
  ],
  ...[
    "for i in 1; do X\ndone",
    "case x in x) X\nesac",
    "case x in (x|y) X\n;; esac",
    "f() { X\n}",
    "function f { X\n}",
    "f() ( X\n)",
  ],
  ...[
    "echo $(X\n)",
    'echo "$(X\n)"',
    "cat <(X\n)",
    "echo ${A:-$(X\n)}",
    "cat <<E\n$(X\n)\nE",
    "x=$(X\n)",
    "[[ -n $(X\n) ]]",
  ],
  ...[
    "if (true) then X\nfi",
    "if [[ a ]] then X\nfi",
    "((1)) && X",
    "echo a \\\n; X",
    "# it's\nX",
    "echo 'a'\\''b'; X",
    'echo "\\""; X',
  ],
  ...["a[0]=1 X", "time { X\n}", "! { X\n}", "until X\ndo :; done", "echo $((1)) $[1] $'\\''; X", "case a in esac; X"],
];
const builtinLaunchers = ["command X", "builtin X", "command -p -- X", "A=1 command builtin X"];
const programLaunchers = [
  ...[
    "command X",
    "exec X",
    "exec -a name X",
    "env X",
    "env -i -u HOME A=1 X",
    "sudo X",
    "sudo -u bob -E A=1 X",
    "timeout 5 X",
    "timeout -k 1 -s KILL 5s X",
  ],
  ...[
    "nice -n 5 X",
    "nohup X",
    "setsid X",
    "stdbuf -oL X",
    "xargs X",
    "xargs -0 -n 1 -I {} X",
    "find . -name a -exec X",
    "/usr/bin/env X",
    "/usr/bin/time -f %e X",
  ],
  ...["sudo -n timeout 5 env A=1 nice X", "busybox X", "chroot /x X", "timeout ${inputs.t} X"],
];

/** A here-document's body follows its line, so what closes the disguise has to stand behind it. */
function disguise(pattern: string, command: string): string {
  return pattern.replace("X", () => command);
}

describe("a command that evaluates an argument is refused in every disguise", () => {
  test.each([...builtins, ...programs])("%s: %s", (code, command) => {
    for (const pattern of grammarDisguises) {
      expect({ pattern, codes: codesOf(disguise(pattern, command)) }).toEqual({
        pattern,
        codes: expect.arrayContaining([code]),
      });
    }
  });

  test.each(builtins)("launched: %s: %s", (code, command) => {
    for (const pattern of builtinLaunchers) {
      expect({ pattern, codes: codesOf(disguise(pattern, command)) }).toEqual({
        pattern,
        codes: expect.arrayContaining([code]),
      });
    }
  });

  test.each(programs)("launched: %s: %s", (code, command) => {
    for (const pattern of programLaunchers) {
      expect({ pattern, codes: codesOf(disguise(pattern, command)) }).toEqual({
        pattern,
        codes: expect.arrayContaining([code]),
      });
    }
  });

  test.each([
    'docker exec box sh -c "ls ${inputs.v}"',
    'kubectl exec pod -- bash -c "ls ${inputs.v}"',
    "docker exec -i box bash <<EOF\n${inputs.v}\nEOF",
    "{/bin/bash,-c,${inputs.v}}",
    "time -p -- eval ${inputs.v}",
    "at now <<EOF\n${inputs.v}\nEOF",
    "su -- bob ${inputs.a} ${inputs.b}",
    "jobs -x eval ${inputs.v}",
    '"$SHELL" -c "ls ${inputs.v}"',
    'uv run python -c "${inputs.v}"',
    "{ cat; bash; } <<EOF\n${inputs.v}\nEOF",
    "(cd x && sh) <<< ${inputs.v}",
    "if true; then bash; fi <<EOF\n${inputs.v}\nEOF",
    'env "${inputs.venv}/bin/python3"',
    "env ${inputs.v}/x bash -c ls",
    'env -- "${inputs.v}/x" bash -c ls',
    'env - "${inputs.v}/x"',
    "env A=1 ${inputs.v} --version",
    'script "${inputs.log}"',
    'strace "${inputs.v}" ls',
    'strace -o "${inputs.v}" ls',
    'flock "${inputs.lock}" ls',
    "{a[${inputs.v}]}>file",
    "n=${inputs.v}; exec {a[$n]}>file",
    'bash /dev/fd/3 3<<<"${inputs.v}"',
    ". /dev/fd/3 3<<EOF\n${inputs.v}\nEOF",
    "bash //dev/stdin <<< ${inputs.v}",
    "bash /dev/./stdin <<< ${inputs.v}",
    "exec <<< ${inputs.v}; bash",
    "exec 3<<< ${inputs.v}; bash /dev/fd/3",
    "f(){ bash; }; f <<< ${inputs.v}",
    "echo ${inputs.v} | f; f(){ cat | bash; }",
    "echo ${inputs.v} > >(bash)",
    "echo ${inputs.v} | tee >(sh)",
    "bash --rcfile <(echo ${inputs.v}) -i",
    "$(echo ${inputs.v}) x",
    '"$(echo ${inputs.v})" $x',
    "$(dirname ${inputs.v})/tool",
    'perl -I lib -e "print ${inputs.v}"',
    'vim -u NONE -c "${inputs.v}"',
    'vim file -c "${inputs.v}"',
    'node --title x -e "${inputs.v}"',
    'python3 --check-hash-based-pycs always -c "${inputs.v}"',
    'node --import "${inputs.v}" x.js',
    'node --import="${inputs.v}" x.js',
    'node -r "${inputs.v}" x.js',
    'perl -M"${inputs.v}" x.pl',
    'php -d "${inputs.v}" x.php',
    "f+() [[ -v ${inputs.v} ]]",
    "$'\\145val' ${inputs.v}",
    "$'\\x65\\u76\\U00000061l' ${inputs.v}",
    '/bin/b?sh -c "${inputs.v}"',
    '{bash,-c} "${inputs.v}"',
    `${"command ".repeat(30)} eval "\${inputs.v}"`,
  ])("%s", (command) => {
    expect(problemsOf(command)).not.toEqual([]);
  });
});

test("a function call in ${...} is refused, since no shell knows it, with the way to do it", () => {
  const [problem] = problemsOf('echo "${trim(inputs.v)}"');
  expect(problem).toMatchObject({ code: "not-a-reference", level: "error", start: 6, end: 13 });
  expect(problem?.fix).toContain("env:");
  expect(codesOf("echo '${trim(inputs.v)}'")).toEqual([]);
});
