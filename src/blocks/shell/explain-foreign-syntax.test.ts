import { describe, expect, test } from "vitest";
import { checkableScript } from "./assemble-script.ts";
import type { CommandProblem } from "./command-problem.ts";
import { compileCommand } from "./compile-command.ts";

const foreignCodes = ["not-a-reference", "looks-like-a-reference"];

function problemsOf(command: string): readonly CommandProblem[] {
  const result = compileCommand(command);
  const problems = result.ok ? result.value.notes : result.error;
  return problems.filter((problem) => foreignCodes.includes(problem.code));
}

/** Level, place and fix of the problems in a command. */
function summarise(command: string): (readonly [string, string, string | undefined])[] {
  return problemsOf(command).map(({ level, start, end, fix }) => [level, command.slice(start, end), fix]);
}

describe("a ${...} that neither Frond nor any shell knows is an error", () => {
  test.each([
    ["${input.x}", "Did you mean ${inputs.x}?"],
    ["${block.build.stdout}", "Did you mean ${blocks.build.stdout}?"],
    ["${steps.a.b}", "Did you mean ${blocks.a.b}?"],
    ["${steps.my-step.outputs.version}", "Did you mean ${blocks['my-step'].outputs.version}?"],
    ["${params.items[0]['a b']}", "Did you mean ${inputs.items[0]['a b']}?"],
    ["${ input.x }", "Did you mean ${inputs.x}?"],
    ["${Inputs.x}", "Did you mean ${inputs.x}?"],
    ["${__internal__.executor}", "Leave it out: the engine's own insides can't be read."],
    ["${build.stdout}", "For an output of the block build, write ${blocks.build.stdout}."],
    ["${loop.index}", "In a loop, write ${each.index}, which counts from 0."],
    ["${loop.length}", "In a loop, write ${each.count}."],
    ["${workflow.status}", "Write ${run.status}, in a block under `finally:`."],
    ["${workflow.name}", "Write ${metadata.workflow_name}."],
    ["${env.HOME}", "Write $HOME: environment variables are the shell's own."],
    ["${#inputs.items}", 'Put it into a variable first: v="${inputs.items}", then write ${#v}.'],
    ["${!inputs.x}", "Did you mean ${inputs.x}?"],
    ["${FILE.txt}", "To put text behind a shell variable, close its brace first: ${FILE}.txt."],
    ["${1.txt}", "To put text behind a shell variable, close its brace first: ${1}.txt."],
    ["${{ inputs.x }}", "Write ${inputs.x}, with one brace."],
    ["${{inputs.x}}", "Write ${inputs.x}, with one brace."],
    ["${{ steps.a.outputs.b }}", "Write ${blocks.a.outputs.b}, with one brace."],
    ["${{ env.HOME }}", "Write $HOME: environment variables are the shell's own."],
    ["${{ github.sha }}", "Write a value as ${inputs.name} or ${blocks.name.stdout}, with one brace."],
    ["${{ inputs.x || 'none' }}", "Write ${inputs.x}, with one brace."],
  ])("%s", (written, fix) => {
    const places = [
      "echo X",
      'echo "a X b"',
      "cat <<EOF\nX\nEOF",
      'echo "$(echo X)"',
      "echo ${A:-X}",
      "echo $((X + 1))",
    ];
    for (const place of places) {
      const command = place.replace("X", () => written);
      expect({ command, problems: summarise(command) }).toEqual({ command, problems: [["error", written, fix]] });
    }
    expect(problemsOf(`echo ${written}`)[0]).toMatchObject({
      code: "not-a-reference",
      message: `${written} is neither a reference nor anything the shell knows.`,
      why: expect.stringContaining("inputs, blocks, metadata, vars, each, secrets or run"),
    });
  });

  test("as far as it can be read when something else follows", () => {
    expect(summarise("echo ${input.x:-none}")).toEqual([["error", "${input.x", "Did you mean ${inputs.x}?"]]);
    expect(summarise("echo ${a[$i].x}").map(([level, place]) => [level, place])).toEqual([["error", "${a[$i]."]]);
  });

  test("unless the shell does not expand it", () => {
    const commands = [
      "echo '${input.x}' \\${input.x} \"\\${input.x}\" # ${input.x}",
      "cat <<'EOF'\n${input.x} ${build.stdout}\nEOF",
      "cat <<'EOF'\n${input.x} ${inputs.y}\nEOF",
      "echo ${HOME}.x ${x:-a.b} ${x%.*} ${x#*.} ${x/./_} ${a[0]}.b ${#a}.b ${x:-{a}} ${ HOME}",
    ];
    for (const command of commands)
      expect({ command, problems: summarise(command) }).toEqual({ command, problems: [] });
  });
});

describe("what looks like a reference but is the shell's gets a warning", () => {
  const places = [
    "echo X",
    'echo "a X b"',
    "cat <<EOF\nX\nEOF",
    'echo "$(echo X)"',
    "x=X",
    "a=(X)",
    "case X in a) ;; esac",
  ];

  test.each([
    ["$inputs.x", "Write ${inputs.x}. If the shell variable is meant, write ${inputs}.x."],
    ["$blocks.a.stdout", "Write ${blocks.a.stdout}. If the shell variable is meant, write ${blocks}.a.stdout."],
    ["$each.value", "Write ${each.value}. If the shell variable is meant, write ${each}.value."],
    ["$metadata.run_id", "Write ${metadata.run_id}. If the shell variable is meant, write ${metadata}.run_id."],
    ["$(inputs.x)", "Write ${inputs.x}. If the command is meant, write $(command inputs.x)."],
    ["$( blocks.a.stdout )", "Write ${blocks.a.stdout}. If the command is meant, write $(command blocks.a.stdout)."],
    ["{{inputs.x}}", "Write ${inputs.x}. If another program fills it in, put it in single quotes."],
    ["{{blocks.a.stdout}}", "Write ${blocks.a.stdout}. If another program fills it in, put it in single quotes."],
  ])("%s", (written, fix) => {
    for (const place of places) {
      const command = place.replace("X", () => written);
      expect({ command, problems: summarise(command) }).toEqual({ command, problems: [["warning", written, fix]] });
    }
    const [problem] = problemsOf(`echo ${written}`);
    expect(problem?.code).toBe("looks-like-a-reference");
    expect(problem?.message.startsWith(`${written} looks like a reference, but `)).toBe(true);
    expect(problem?.why).toBeTruthy();
  });

  test("with blanks inside the braces, bare or quoted", () => {
    const expected = [
      ["warning", "{{ inputs.x }}", "Write ${inputs.x}. If another program fills it in, put it in single quotes."],
    ];
    for (const command of ["echo {{ inputs.x }}", 'echo "{{ inputs.x }}"', "cat <<EOF\n{{ inputs.x }}\nEOF"])
      expect(summarise(command)).toEqual(expected);
    const [filtered] = summarise('echo "{{ inputs.x | upper }}"');
    expect(filtered?.slice(0, 2)).toEqual(["warning", "{{ inputs.x | upper }}"]);
  });

  test("every one of them, where it stands", () => {
    const command = 'cp $inputs.a/b.txt "$inputs.b.$each.index." $(inputs.c)';
    expect(summarise(command).map(([, place]) => place)).toEqual([
      "$inputs.a",
      "$inputs.b",
      "$each.index",
      "$(inputs.c)",
    ]);
  });

  test("unless the script assigns the variable itself", () => {
    const assignments = [
      "inputs=a",
      "inputs+=a",
      "inputs=(a b)",
      "export inputs=a",
      "f() { local inputs; }",
      "for inputs in *; do :; done",
      "read -r inputs",
      "builtin read -r inputs",
      "while IFS= read -r a inputs; do :; done",
      "mapfile -t inputs",
      "printf -v inputs %s a",
    ];
    for (const assignment of assignments) {
      expect({ assignment, problems: summarise(`${assignment}; echo $inputs.x`) }).toEqual({
        assignment,
        problems: [],
      });
      expect(summarise(`${assignment}; echo $blocks.x.y`)).toHaveLength(1);
    }
    for (const mention of ["echo inputs=a", "echo read inputs", "tool --inputs=a", "printf inputs"])
      expect({ mention, count: summarise(`${mention}; echo $inputs.x`).length }).toEqual({ mention, count: 1 });
  });

  test("but not what no reader would take for one", () => {
    const commands = [
      'echo "see $inputs." $inputs $inputs/x.y ${inputs}.x $inputs.$x $inputsx.y $my_inputs.x $x.inputs.y',
      "echo \\$inputs.x \"\\$inputs.x\" '$inputs.x $(inputs.x)' # $inputs.x {{ inputs.x }}",
      "cat <<'EOF'\n$inputs.x $(inputs.x)\nEOF",
      'echo {{ name }} {{ .inputs.x }} {{inputs}} "{{ myinputs.x }}" {a,{b,c}} {{ inputs. }} "{{ inputs.x"',
      "echo $(inputs) $(inputs.x --flag) $(./inputs.x) $(command inputs.x)",
      'echo "\\${{ inputs.x }}"',
    ];
    for (const command of commands)
      expect({ command, problems: summarise(command) }).toEqual({ command, problems: [] });
  });
});

test("in quotes that the shell leaves alone, {{ inputs.x }} is only a hint", () => {
  const fix = "Write ${inputs.x} for the value; leave it if another program fills it in.";
  const commands = [
    "tool --format '{{ inputs.x }}'",
    "echo $'\\t{{ inputs.x }}'",
    "cat <<'EOF'\n{{ inputs.x }}\nEOF",
    "cat <<'EOF'\n{{ inputs.x }} ${inputs.y}\nEOF",
  ];
  for (const command of commands) expect(summarise(command)).toEqual([["hint", "{{ inputs.x }}", fix]]);
  expect(summarise("echo '${{ inputs.x }}'")).toEqual([["hint", "${{ inputs.x }}", fix]]);
});

test("a command with warnings stays byte for byte", () => {
  const commands = [
    "echo $inputs.x \"$blocks.a.stdout {{ inputs.x }}\" $(inputs.x) {{ each.value }} '{{ inputs.x }}'",
    "echo $'a\\'{{ inputs.x }} $x \\\\' $'$' $'$$' $'\\$HOME'",
    "cat <<A <<'B'\n$inputs.x {{ inputs.x }}\nA\n$inputs.x {{ inputs.x }} ${{ inputs.x }}\nB\n",
    "echo $inputs.x; coproc cat",
  ];
  for (const command of commands) {
    const result = compileCommand(command);
    expect(result.ok && checkableScript(result.value)).toBe(command);
  }
});

test("of very many only the first are reported", () => {
  const errors = compileCommand("echo ${input.x}; ".repeat(10_000));
  expect(!errors.ok && errors.error.map((problem) => problem.code)).toEqual([
    ...Array.from({ length: 50 }, () => "not-a-reference"),
    "too-many-problems",
  ]);
  expect(problemsOf("echo $inputs.x; ".repeat(10_000))).toHaveLength(50);
  expect(problemsOf("echo {{inputs.x}}; ".repeat(10_000))).toHaveLength(50);
});
