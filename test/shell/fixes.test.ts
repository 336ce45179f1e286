import { afterAll, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import { openTestEngine } from "../rig/engine.ts";
import { bySubscript, bySubstitution } from "./refused-scripts.ts";

const engine = openTestEngine();
afterAll(() => engine.close());

function check(command: string, declaration: object = { type: "string" }): readonly Diagnostic[] {
  return engine
    .check({
      inputs: { v: { description: "A value", ...declaration } },
      blocks: [{ id: "it", type: "Shell", inputs: { command } }],
    })
    .diagnostics.filter(({ level }) => level !== "hint");
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.filter(({ level }) => level === "error").map(({ code, message }) => `${code}: ${message}`);
}

/** What the words of a fix mean when somebody does what they say. */
const declarations: Readonly<Record<string, object>> = {
  "`type: integer`": { type: "integer" },
  "`type: integer` with `minimum: 0`": { type: "integer", minimum: 0 },
  "an `enum` of plain words": { type: "string", enum: ["staging", "production"] },
  '`pattern: "[A-Za-z0-9_.]+"`': { type: "string", pattern: "[A-Za-z0-9_.]+" },
  '`pattern: "[0-9.]+"`': { type: "string", pattern: "[0-9.]+" },
};

const commands: readonly string[] = [
  ...[...bySubscript, ...bySubstitution].map((script) => script.replaceAll("VALUE", "${inputs.v}")),
  ...["bash ${inputs.v}", "node -e 'x' -r ${inputs.v}", "wait ${inputs.v}", 'printf "${inputs.v}"', "read ${inputs.v}"],
  ...['python3 -c "print(${inputs.v})"', "python3 -c \"print('${inputs.v}')\"", "python3 <<EOF\n${inputs.v}\nEOF"],
  ...['ssh host "ls ${inputs.v}"', "ssh host <<EOF\nls ${inputs.v}\nEOF", 'su bob -c "ls ${inputs.v}"'],
  ...["env ${inputs.v} ls", "${inputs.v} x", '${inputs.v} "$1"', "python${inputs.v} -c '$1'", "./run-${inputs.v}.sh"],
  ...["echo `ls ${inputs.v}`", "x=${y/${inputs.v}/z}", "echo x >& ${inputs.v}", "sed 's/a/${inputs.v}/' f"],
  ...['D="b-${inputs.v}"; trap "rm -rf $D" EXIT', 'timeout 9 sh -c "until nc -z ${inputs.v} 80; do sleep 1; done"'],
  ...["IFS=. read -r a b <<< ${inputs.v}; echo $((b + 1))", "make VERSION=${inputs.v}", "npx ${inputs.v}"],
  ...["GIT_SSH_COMMAND='ssh -i ${inputs.v}' git pull", "PATH=${inputs.v}:$PATH", "awk '$1 == \"${inputs.v}\"' f"],
];

describe("what a fix says to declare is accepted then", () => {
  test.each(commands)("%s", (command) => {
    for (const { fix = "", code, level } of check(command)) {
      const [, declare] = /^Declare (.*) for the input 'v'\./.exec(fix) ?? [];
      for (const way of declare?.split(", or ") ?? []) {
        expect(declarations).toHaveProperty([way]);
        const left = check(command, declarations[way]).filter((problem) => problem.level === level);
        expect({ way, left: left.filter((problem) => problem.code === code).map(({ message }) => message) }).toEqual({
          way,
          left: [],
        });
      }
    }
  });
});

test("the fix of a refusal begins with the shortest way out", () => {
  const fixOf = (command: string, declaration?: object): string => check(command, declaration)[0]?.fix ?? "";
  expect(fixOf("n=${inputs.v}; echo $((n + 1))")).toMatch(/^Declare `type: integer` for the input 'v'\. Or: /);
  expect(fixOf('sh -c "ls ${inputs.v}"')).toMatch(
    /^Declare an `enum` of plain words, or `pattern: "\[A-Za-z0-9_.]\+"` for/,
  );
  expect(fixOf('${inputs.v} "$1"')).toMatch(/^Declare an `enum` of plain words for the input 'v'\. Or: /);
  expect(fixOf("wait ${inputs.v}", { type: "integer" })).toMatch(/^Declare `minimum: 0` for the input 'v'\. Or: /);
  expect(fixOf("((${inputs.v}))", { type: "integer", required: false })).toMatch(/^Give the input 'v' a `default`/);
  expect(fixOf("cat <<${inputs.v}\nx\n${inputs.v}")).not.toMatch(/Declare/);
});

test("a secret input is not told to declare what a secret can't have", () => {
  const [problem] = check('sh -c "ls ${inputs.v}"', { type: "string", secret: true });
  expect(problem).toMatchObject({ code: "value-in-code", fix: expect.not.stringContaining("Declare") });
});

/** The code that fixes show, each as it is written. */
const shownCode: readonly (readonly [command: string, shown: RegExp, replaced?: readonly [string, string]])[] = [
  ["[[ ${inputs.v} -gt 5 ]]", /: (\[ .* \])\.$/],
  ["n=${inputs.v}; [[ 5 -lt n ]]", /: (\[ .* \])\.$/],
  ["(( ${inputs.v} > 5 ))", /Compare with (\[ .* \]),/],
  ["(( ${inputs.v} > 5 ))", /calculate with (\$\(\(.*\)\))\.$/, ["$((", "echo $(("]],
  ["echo $[ ${inputs.v} ]", /Write (\$\(\(.*\)\)),/, ["$((", "echo $(("]],
  ["n=${inputs.v}; echo $((n))", /integer: (n=\$\(\( .* \)\));/],
  ["let x=${inputs.v}", /Write (x=\$\(\(.*\)\)),/],
  ["echo `ls ${inputs.v}`", /backticks: (.*)\.$/, ["$(command", "echo $(ls"]],
  ['sh -c "ls ${inputs.v}"', /argument: (.*)\.$/, ["...", "ls"]],
  ['bash -c "ls ${inputs.v}"', /argument: (.*)\.$/, ["...", "ls"]],
  ['su bob -c "ls ${inputs.v}"', /argument: (.*)\.$/, ["...", "ls"]],
  ['echo "${inputs.v}" | bash', /argument: (.*)\.$/, ["...", "ls"]],
  ['ssh host "ls ${inputs.v}"', /instead: (.*)\.$/],
  ["ssh host <<EOF\nls ${inputs.v}\nEOF", /read it: (.*)\.$/],
  ["bash <<EOF\nls ${inputs.v}\nEOF", /as in (.*), and use/, ["<<'EOF'", "<<'EOF'\nls \"$1\"\nEOF"]],
  ["python3 - <<EOF\nprint(${inputs.v})\nEOF", /delimiter: (.*)\.$/, ["... <<'EOF'", "- <<'EOF'\nimport os\nEOF"]],
  ['node -e "run(${inputs.v})"', /environment: (.*)\.$/, ["... '...'", "-e 'run(process.env.VALUE)'"]],
  ['python3 -c "run(${inputs.v})"', /environment: (.*)\.$/, ["... '...'", "-c 'run()'"]],
  ["bash ${inputs.v}", /before it: (.*)\.$/],
  ["wait ${inputs.v}", /before it: (.*)\.$/],
  ['printf "${inputs.v}" x', /format: (.*)\.$/],
  ["x=${inputs.v}; [ $x = y ]", /Quote it: (.*)\.$/, ['"$x"', 'x=${inputs.v}; [ "$x" = y ]']],
  ["[ ${inputs.v} ${inputs.v} ]", /operator: (\[ .* \])\.$/],
  ["trap 'echo ${inputs.v}' EXIT", /Assign (v=.*) and use/],
  ["trap 'echo ${inputs.v}' EXIT", /quoted text: (.*)\.$/],
  ["alias x='${inputs.v}'", /function: (.*)\.$/, ["command", "ls"]],
  ['declare -i x="${inputs.v}"', /declare: (.*)\.$/],
  ["x=${inputs.v}; echo ${x@P}", /as it is: (.*)\.$/, ["", "x=${inputs.v}; echo "]],
  ["x=${y/${inputs.v}/z}", /first: (v=.*), then/],
  ['f() { local -a x="${inputs.v}"; }; f', /elements: (.*)\.$/],
  ["echo x >& ${inputs.v}", /&>: (.*)\.$/, ["command", "ls"]],
  ["awk '$1 == \"${inputs.v}\"' f", /variable: (.*)\.$/],
  ["env ${inputs.v}/x", /as in ("\.\/.*") or/, ["", "env "]],
];

describe("the code that a fix shows is accepted", () => {
  const cases = shownCode.map(([command, shown, replaced = ["", ""] as const]) => ({ command, shown, replaced }));
  test.each(cases)("$command: $shown", ({ command, shown, replaced: [from, to] }) => {
    const problems = check(command);
    expect(problems).not.toEqual([]);
    const found = problems.flatMap(({ fix = "" }) => shown.exec(fix)?.[1] ?? []);
    expect(found).not.toEqual([]);
    for (const code of found) expect(errorsOf(check(code.replace(from, () => to)))).toEqual([]);
  });
});
