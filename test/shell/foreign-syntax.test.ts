import { afterAll, describe, expect, test } from "vitest";
import { compileCommand } from "../../src/blocks/shell/compile-command.ts";
import { Canary, runText, shells } from "./run-shell.ts";

/** What is said about the value syntax of other tools has to be true of real shells. */
const canary = new Canary();
afterAll(() => canary.remove());

function run(shell: string, script: string): { stdout: string; stderr: string } {
  return runText(shell, script, canary.directory, undefined, { inputs: "variable" });
}

describe.each(shells)("%s", (shell) => {
  test.each([
    ..."${input.x} ${a.b.c} ${a.b:-c} ${#a.b} ${!a.b} ${1.b} ${@.b} ${a[0].b} ${{a.b}} ${{a}".split(" "),
    "${ a.b }",
    "${{ inputs.x }}",
    "${{ inputs.x || 'none' }}",
  ])("%s is refused because it is no expansion", (written) => {
    for (const script of [`echo ${written}`, `echo "${written}"`, `cat <<EOF\n${written}\nEOF`]) {
      const compiled = compileCommand(script);
      expect(!compiled.ok && compiled.error.map((problem) => problem.code)).toEqual(["not-a-reference"]);
      expect(run(shell, script)).toEqual({ stdout: "", stderr: expect.stringMatching(/bad substitution/i) });
    }
  });

  test.each([
    ["$inputs.x", "variable.x\n"],
    ["{{inputs.x}}", "{{inputs.x}}\n"],
    ["$(inputs.x)", "\n"],
  ])("%s gets a warning because it is %j", (written, stdout) => {
    for (const script of [`echo ${written}`, `echo "${written}"`, `cat <<EOF\n${written}\nEOF`]) {
      const compiled = compileCommand(script);
      expect(compiled.ok && compiled.value.notes.map((note) => note.code)).toEqual(["looks-like-a-reference"]);
      expect(run(shell, script).stdout).toBe(stdout);
    }
  });

  test("the forms that are offered instead mean what the warning says", () => {
    expect(run(shell, 'echo ${inputs}.x "${inputs}.x"').stdout).toBe("variable.x variable.x\n");
    expect(compileCommand("echo ${inputs}.x")).toMatchObject({ ok: true, value: { notes: [], values: [] } });
    expect(compileCommand("echo $(command inputs.x)")).toMatchObject({ ok: true, value: { notes: [] } });
  });
});
