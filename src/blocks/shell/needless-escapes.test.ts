import { expect, test } from "vitest";
import { compileCommand } from "./compile-command.ts";

function notesOn(command: string): string[] {
  const result = compileCommand(command);
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join("\n"));
  return result.value.notes.map(({ code, start, end }) => `${code} ${command.slice(start, end)}`);
}

test.each([
  ["echo $${p}", "$${p}"],
  ['echo "a $${p} b"', "$${p}"],
  ["echo '$${inputs.x}' '$${p}'", "$${p}"],
  ["echo 'a $${p:-x} b'", "$${p:-x}"],
  ["cat <<EOF\n$${p}\nEOF", "$${p}"],
])("$${name} of a name that is none of Frond's is warned about: %j", (command, marked) => {
  expect(notesOn(command)).toEqual([`needless-escape ${marked}`]);
});

test.each([
  ["one of Frond's names", "echo '$${inputs.x}' $${blocks.a.stdout}"],
  ["the id of the process alone", 'echo "$$" $$.log'],
  ["an escaped dollar sign", 'echo "\\$${p}"'],
  ["a here-document that the shell leaves alone, such as a makefile", "cat <<'EOF' > Makefile\na:\n\techo $${p}\nEOF"],
  ["a template of JavaScript", "node -e 'const p = 3; console.log(`$${p}`)'"],
  ["a comment", "true # $${p}"],
])("nothing is said of %s", (_what, command) => {
  expect(notesOn(command)).toEqual([]);
});

test.each([
  ["echo '$${p}'", "Write ${p}."],
  ["echo $${p}", "Write ${p} for the variable, or \\${p} for this text."],
])("the warning says what to write, which is accepted: %j", (command, fix) => {
  const message = "$${p} does not become ${p} in a command: it keeps both dollar signs.";
  expect(compileCommand(command)).toMatchObject({ value: { notes: [{ level: "warning", message, fix }] } });
  for (const [written] of fix.matchAll(/\\?\$\{p\}/g)) expect(notesOn(command.replace("$${p}", written))).toEqual([]);
});
