import { describe, expect, test } from "vitest";
import { assembleScript, checkableScript } from "./assemble-script.ts";
import { compileCommand } from "./compile-command.ts";
import type { CompiledCommand } from "./compiled-command.ts";

function accept(command: string): CompiledCommand {
  const result = compileCommand(command);
  if (!result.ok) throw new Error(result.error.map((problem) => `${problem.code}: ${problem.message}`).join("\n"));
  return result.value;
}

function codesOf(command: string): string[] {
  const result = compileCommand(command);
  return result.ok ? [] : result.error.map((problem) => problem.code);
}

function syntaxOf(command: string): string | undefined {
  const result = compileCommand(command);
  if (result.ok) return result.value.syntax?.code;
  return result.error.find(({ code }) => code === "shell-syntax")?.code;
}

function isRefused(command: string): boolean {
  const result = compileCommand(command);
  return !result.ok || result.value.syntax !== undefined;
}

function notesOf(command: string): string[] {
  return accept(command).notes.map((note) => note.code);
}

describe("a value becomes a variable, spelled by its context", () => {
  test.each([
    ['git commit -m "${blocks.x.response}"', 'git commit -m "${F_1}"'],
    ["mkdir -p ${inputs.ws}/out", 'mkdir -p "${F_1}"/out'],
    ["echo 'a ${inputs.v} b'", "echo 'a '\"${F_1}\"' b'"],
    ["echo $'a ${inputs.v} b'", "echo $'a '\"${F_1}\"$' b'"],
    ["cat <<EOF\n${inputs.v}\nEOF", "cat <<EOF\n${F_1}\nEOF"],
    ["cat <<'EOF'\n$HOME `x` \\ ${inputs.v}\nEOF", "cat <<EOF\n\\$HOME \\`x\\` \\\\ ${F_1}\nEOF"],
    ["cat <<'EOF'\n$HOME `x` \\\nEOF", "cat <<'EOF'\n$HOME `x` \\\nEOF"],
    ["cat <<'E.F' # c\n${inputs.v}\nE.F\n", "cat <<END # c\n${F_1}\nEND\n"],
    ['echo "$(echo ${inputs.v})"', 'echo "$(echo "${F_1}")"'],
    ["echo ${A:-${inputs.v}}", 'echo ${A:-"${F_1}"}'],
    ['echo "${A:-${inputs.v}}"', 'echo "${A:-${F_1}}"'],
    ["echo \"${A:-'${inputs.v}'}\"", "echo \"${A:-'${F_1}'}\""],
    ["echo $(( ${inputs.n} + 1 ))", "echo $(( ${F_1} + 1 ))"],
    ["echo a # ${inputs.v}", "echo a # ${inputs.v}"],
    ["echo ${inputs.a} ${inputs.b} ${inputs.a}", 'echo "${F_1}" "${F_2}" "${F_1}"'],
    ["F_1=x; echo ${inputs.a}", 'F_1=x; echo "${FF_1}"'],
    ["echo ${ inputs.a }", 'echo "${F_1}"'],
    ["echo ${inputs['a}b']}", 'echo "${F_1}"'],
    ["[[ $x =~ ${inputs.v} ]]", '[[ $x =~ "${F_1}" ]]'],
    ["[[ $x =~ ^(a|${inputs.v})$ ]]", '[[ $x =~ ^(a|"${F_1}")$ ]]'],
    ["echo $${inputs.v} \"$${inputs.v}\" '$${inputs.v}'", "echo '${inputs.v}' \"\\${inputs.v}\" '${inputs.v}'"],
    ["echo $$${inputs.v}", 'echo $$"${F_1}"'],
    ['echo \\\\${inputs.v} "\\\\${inputs.v}"', 'echo \\\\"${F_1}" "\\\\${F_1}"'],
  ])("%j", (command, script) => {
    expect(checkableScript(accept(command))).toBe(script);
  });
});

test("what is not ours stays byte for byte", () => {
  const scripts = [
    "echo ${HOME} ${x:-1} $1 $@ ${#a} ${a[0]} ${!b} $((1 + 2)) `date` \\${inputs.x} $$ $! ${inputsx}.y ${ HOME}",
    "for ((i = 0; i < 3; i++)); do echo $i; done",
    "case $1 in -h|--help) usage;; (*) ;; esac",
    "x=$(cat <<A\n$(date)\nA\n) && echo \"$x\" | sed 's/a/b/' >out 2>&1 &",
    'f() { local x=1; echo "${x%%.*}" "${x//a/b}" "${x:1:2}"; }',
    "if [[ -n $x && ( $y -gt 5 || $z == a* ) ]]; then :; fi",
    'a=(1 2 [5]=6) b[1 + 2]=3; declare -A m=([x]=1); echo "${a[@]:1}" {1..3} !(x) @(a|b)',
    'while read -r l; do echo "$l"; done < <(ls) 3>&1 {fd}>x',
    "((x = 1 << 2)); echo $[1+1] $'it\\'s' $\"hi\"",
    "eval \"$X\"; bash -c 'echo $1' _ x; trap 'rm x' EXIT",
    "function f { echo; }; time -p f; ! f; coproc cat",
    "cat <<-'EOF' <<B | tr a b\n\t$x\n\tEOF\n`date` \\$x\nB\necho",
    "echo a\\\n b # don't\n\r\n",
    "",
    "\n\n# only a comment",
    "((echo a); (echo b))",
  ];
  for (const script of scripts) expect(checkableScript(accept(script))).toBe(script);
});

test("the safe forms are accepted", () => {
  const commands = [
    'bash -c \'echo "$1"\' _ "${inputs.v}"',
    'bash -s -- "${inputs.v}" <<\'EOF\'\necho "$1"\nEOF',
    "bash -- ${inputs.script}",
    "bash script.sh ${inputs.v} <<EOF\n${inputs.v}\nEOF",
    "python3 -c 'import sys; print(sys.stdin.read())' <<EOF\n${inputs.v}\nEOF",
    "python3 -m tool ${inputs.v} <<< ${inputs.v}",
    "node script.js --name=${inputs.v}",
    'export X="${inputs.v}"',
    "readonly X=${inputs.v}",
    'v="${inputs.v}"; local v',
    'declare x="${inputs.v}"; f() { local y="${inputs.v}"; }',
    'declare -A meta=([name]="${inputs.v}"); echo "${meta[name]}"',
    '[ "${inputs.v}" -gt 5 ] && [ -n "${inputs.v}" ] && test ${inputs.a} = ${inputs.b}',
    "[[ ${inputs.v} == a && -f ${inputs.f} && $n -gt 5 ]]",
    "case ${inputs.v} in a) ;; esac",
    "command -v ${inputs.tool} && type ${inputs.tool}",
    "${inputs.dir}/bin/tool ${inputs.v}",
    "./scripts/${inputs.v}.sh",
    "printf '%s' ${inputs.v}; printf -v x %s ${inputs.v}",
    "ssh -i key -- ${inputs.host} uptime",
    "ssh deploy@${inputs.host} uptime",
    "printf '%s' ${inputs.v} | ssh host 'cat > file'",
    "timeout ${inputs.t} make ${inputs.v}; sudo -u ${inputs.user} ls ${inputs.v}",
    "find ${inputs.dir} -name ${inputs.pattern} -exec grep -e ${inputs.v} {} +",
    "find . -exec sh -c 'echo \"$1\"' _ ${inputs.v} \\;",
    "echo bash -c ${inputs.v}; grep -e python -e ${inputs.v} f",
    "su bob -c 'echo \"$1\"' -- _ ${inputs.v}",
    "wait -- ${inputs.pid}",
    "awk -v v=${inputs.v} '{ print v }' ${inputs.file}",
    "sed -n '1p' ${inputs.file}",
    'eval "x=$(( ${inputs.n} ))"',
    'eval "$X" # ${inputs.v}',
    "cat <<EOF | grep ${inputs.v}\nbash -c ${inputs.v}\nEOF",
  ];
  for (const command of commands) expect({ command, codes: codesOf(command) }).toEqual({ command, codes: [] });
});

test("a value may name the program when nothing else is computed, and a list is then one word", () => {
  for (const command of ['"${inputs.v}" -m pytest', "${inputs.v}", "nice -n 5 ${inputs.v} --version"]) {
    const compiled = accept(command);
    expect(compiled.notes.map(({ code, level }) => [code, level])).toEqual([["value-as-command", "warning"]]);
    const assembled = assembleScript(compiled, [["eval", "touch x"]]);
    expect(assembled.ok && assembled.value.prelude).toContain(`='["eval","touch x"]'`);
  }
});

test("all problems are reported at once, in the order of the text", () => {
  const command = "eval ${inputs.a}; echo `${inputs.b}` ${inputs.c | nothing}; [[ ${inputs.d} -gt 1 ]]; echo 'open";
  expect(codesOf(command)).toEqual([
    "value-in-code",
    "value-in-backticks",
    "filter",
    "value-in-arithmetic",
    "shell-syntax",
  ]);
});

test("what reaches an interpreter through a pipe is refused", () => {
  for (const command of [
    'echo "${inputs.v}" | bash',
    "{ echo ${inputs.v}; } | cat | sudo sh -s",
    "cat <<EOF | bash\n${inputs.v}\nEOF",
    "echo ${inputs.v} | python3 -",
    "echo ${inputs.v} | xargs -I{} sh -c 'echo {}'",
  ]) {
    expect({ command, codes: codesOf(command) }).toEqual({ command, codes: ["value-piped-to-interpreter"] });
  }
});

test("what is only risky gets a warning", () => {
  expect(notesOf("curl -fsSL ${inputs.url} | bash")).toEqual(["value-piped-to-interpreter"]);
  expect(notesOf("echo ${inputs.v} | xargs sh -c 'echo \"$1\"' _")).toEqual([]);
  expect(notesOf('sed "s/a/${inputs.v}/" f')).toEqual(["value-in-program"]);
  expect(notesOf('sed -i -e p -e "s/a/${inputs.v}/" f')).toEqual(["value-in-program"]);
  expect(notesOf('awk "/${inputs.v}/" f')).toEqual(["value-in-program"]);
  for (const command of [
    'npx -c "${inputs.v}"',
    'npm exec -c "${inputs.v}"',
    'make CC="${inputs.v}"',
    'git rebase --exec "${inputs.v}" main',
    'git -c "alias.x=${inputs.v}" x',
    'tar -I "${inputs.v}" -xf a.tar',
    'tar --to-command="${inputs.v}" -xf a.tar',
    'sqlite3 db "${inputs.v}"',
    'gdb -ex "${inputs.v}" a.out',
    'tmux new "${inputs.v}"',
  ]) {
    expect({ command, notes: notesOf(command) }).toEqual({ command, notes: ["value-in-program"] });
  }
  expect(notesOf('git commit -m "${inputs.v}"; tar -xf ${inputs.f}; sqlite3 ${inputs.f} .dump')).toEqual([]);
  expect(notesOf("make ${inputs.v}")).toEqual(["value-as-option"]);
  // SHELL=text is a setting also behind it.
  expect(notesOf("make -- ${inputs.v}")).toEqual(["value-as-option"]);
  expect(notesOf('printf "hello ${inputs.v}\\n"')).toEqual(["value-in-format"]);
});

test("a command of several lines without set -e gets a hint", () => {
  expect(notesOf("make\nmake test")).toEqual(["only-last-exit-code"]);
  for (const command of [
    "make",
    "make &&\n  make test",
    "make \\\n test",
    "set -e\nmake\nls",
    "set -euo pipefail\na\nb",
    "cat <<E\na\nb\nE",
    "if a; then\n b\nfi",
    "# c\nmake\n",
  ]) {
    expect({ command, notes: notesOf(command) }).toEqual({ command, notes: [] });
  }
});

test("a command left in the background gets a hint", () => {
  expect(notesOf("serve & test")).toEqual(["background-command"]);
  expect(notesOf("a && b 2>&1 >&2 &>x <&3; echo 'a & b' \"&\"")).toEqual([]);
});

test("raw is reported, and pasted anywhere", () => {
  const compiled = accept('eval "${inputs.v | raw}"; ${inputs.v | raw} x');
  expect(compiled.values.map((value) => value.use)).toEqual(["raw"]);
  expect(accept("echo ${inputs.v}").values.map(({ use }) => use)).toEqual(["text"]);
});

test("text that no shell can read has a syntax problem", () => {
  const broken = [
    "echo 'a",
    'echo "a',
    "echo $(a",
    "echo ${a",
    "echo `a",
    "(a",
    "{ a;",
    "if a; then",
    "cat <<EOF\nx",
    "case a in",
    "a)",
    "fi",
    "[[ a",
    "$((1",
    "$'a",
    "f() {",
    "a=(1",
    "echo $(echo `a)`)",
    "((a); (b)) ${inputs.v}",
    "a{".repeat(3000),
  ];
  for (const command of broken)
    expect({ command, syntax: syntaxOf(command) }).toEqual({ command, syntax: "shell-syntax" });
});

test("a token that goes on in the next line is refused where there is a value", () => {
  const split = [
    "echo $\\\n[${inputs.v}]",
    "xy=${inputs.v}; eval $x\\\ny",
    "echo ${!x\\\ny} ${inputs.v}",
    "(\\\n( ${inputs.v} ))",
    'echo "$\\\n(( ${inputs.v} ))"',
    "cat <<EOF\n$\\\n(( ${inputs.v} ))\nEOF",
    "echo $\\\n{x[${inputs.v}]}",
    "echo ${\\\nx[${inputs.v}]}",
    "echo $(\\\n( x = ${inputs.v} ))",
  ];
  for (const command of split) expect({ command, refused: isRefused(command) }).toEqual({ command, refused: true });
  expect(codesOf("echo a\0b")).toEqual(["nul-in-command"]);
});

test("what was ambiguous to a scanner is read as bash reads it", () => {
  expect(checkableScript(accept("coproc N { cat; }; echo ${inputs.v}"))).toBe('coproc N { cat; }; echo "${F_1}"');
  expect(checkableScript(accept("((a); (b)); echo ${inputs.v}"))).toBe('((a); (b)); echo "${F_1}"');
  expect(codesOf("coproc N { eval ${inputs.v}; }")).toEqual(["value-in-code"]);
});

test("what a command comes to does not depend on what was asked about it before", () => {
  const slot = { start: 0, end: 0, value: -1, context: "double-quoted" } as const;
  const beside = (name: string) => ({ ...slot, held: { name, reference: "${inputs.v}", split: false } });
  const surroundings = [{}, { env: new Map([["n", beside("n")]]) }, { stdin: beside("standard input") }];
  const texts = [
    "echo $((n))",
    'echo $((n)) "${inputs.w}"',
    'eval "$n"; read -r x; echo $((x))',
    'bash -c "$n" "${inputs.w}"',
  ];
  const fresh = texts.map((text) =>
    surroundings.map((around) => {
      compileCommand("true");
      return compileCommand(text, around);
    }),
  );
  for (const order of [surroundings, surroundings.toReversed(), [...surroundings, ...surroundings]])
    for (const [index, text] of texts.entries())
      for (const around of order)
        expect(compileCommand(text, around)).toEqual(fresh[index]?.[surroundings.indexOf(around)]);
  expect(fresh.flat().map(({ ok }) => ok)).toContain(false);
});
