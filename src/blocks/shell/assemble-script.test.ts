import { expect, test } from "vitest";
import type { Value } from "../../expression/value.ts";
import { assembleScript, checkableScript, withPrelude } from "./assemble-script.ts";
import { compileCommand } from "./compile-command.ts";

function assemble(command: string, ...values: Value[]): ReturnType<typeof assembleScript> {
  const compiled = compileCommand(command);
  if (!compiled.ok) throw new Error(compiled.error.map((problem) => problem.message).join("\n"));
  return assembleScript(compiled.value, values);
}

test("values stand in the prelude only, in single quotes", () => {
  expect(assemble('echo ${inputs.a} "${inputs.b}"', "it's $(x)", 7)).toEqual({
    ok: true,
    value: {
      script: 'echo "${F_1}" "${F_2}"',
      prelude: "unset F_1; F_1='it'\\''s $(x)'\nunset F_2; F_2='7'\n",
    },
  });
});

test("a list that is a whole word gives a variable per element, elsewhere its JSON", () => {
  expect(assemble("ls ${inputs.a} x${inputs.a} ${inputs.a}", ["a b", null])).toEqual({
    ok: true,
    value: {
      script: 'ls "${F_1_1}" "${F_1_2}" x"${F_1}" "${F_1_1}" "${F_1_2}"',
      prelude: "unset F_1_1; F_1_1='a b'\nunset F_1_2; F_1_2=''\nunset F_1; F_1='[\"a b\",null]'\n",
    },
  });
  expect(assemble("ls ${inputs.a}", [])).toEqual({ ok: true, value: { script: "ls ", prelude: "" } });
});

test("an integer is written plainly, so that no shell takes it for octal", () => {
  expect(assemble("echo $((${inputs.a}))", "-007")).toMatchObject({ value: { prelude: "unset F_1; F_1='-7'\n" } });
  const largest = "9223372036854775807";
  expect(assemble("echo $((${inputs.a}))", largest)).toMatchObject({
    value: { prelude: `unset F_1; F_1='${largest}'\n` },
  });
});

test.each(["9223372036854775808", "1.0", "1 ", "", "a", 0.5, null, true, [1]])("%j is no integer", (value) => {
  expect(assemble("echo $((1 + ${inputs.a}))", value)).toEqual({
    ok: false,
    error: expect.objectContaining({ code: "not-an-integer", start: 12, end: 23 }),
  });
});

test("a NUL fails, also in an element", () => {
  expect(assemble("echo ${inputs.a}", "a\0b")).toMatchObject({ ok: false, error: { code: "value-with-nul" } });
  expect(assemble("echo ${inputs.a}", ["a", "\0"])).toMatchObject({ ok: false, error: { code: "value-with-nul" } });
  expect(assemble("${inputs.a | raw}", "\0")).toMatchObject({ ok: false, error: { code: "value-with-nul" } });
});

test("raw text is pasted, and our names avoid those in it", () => {
  expect(assemble("${inputs.a | raw} ${inputs.b}", "echo $F_1", "v")).toEqual({
    ok: true,
    value: { script: 'echo $F_1 "${FF_2}"', prelude: "unset FF_2; FF_2='v'\n" },
  });
  expect(assemble("cat <<'E'\n${inputs.a | raw} ${inputs.b}\nE", "$x", "v")).toMatchObject({
    value: { script: "cat <<E\n\\$x ${F_2}\nE" },
  });
});

test("the prelude is loaded on the script's own first line", () => {
  expect(withPrelude("# c\necho")).toBe(". /dev/fd/3 || exit 126; exec 3<&-; # c\necho");
});

test("a script can be checked without values", () => {
  const compiled = compileCommand("${inputs.c | raw} ${inputs.a} $((${inputs.n}))");
  expect(compiled.ok && checkableScript(compiled.value)).toBe('${F_1} "${F_2}" $((${F_3}))');
});
