import { expect, test } from "vitest";
import { endsInString } from "./string-literals.ts";

test.each([
  ["python3", "print('"],
  ["python3.11", 'x = "a" + "b'],
  ["python", "x = '''a\n'b"],
  ["python3", "x = r'"],
  ["python3", "print(\"it's "],
  ["node", "require('./"],
  ["node", 'a("b\\"c'],
])("%s: what follows %s stands in a string", (program, text) => {
  expect(endsInString(program, text)).toBe(true);
});

test.each([
  ["python3", "print("],
  ["python3", "print('a', "],
  ["python3", "print('a\\"],
  ["python3", "print(f'{"],
  ["python3", 'print(rf"'],
  ["python3", "# it's\nprint("],
  ["python3", "x = 'a\nprint("],
  ["node", "`"],
  ["node", "x.replace(/'/g, "],
  ["node", "// it's\nrun("],
  ["node", "/* ' */ run("],
  ["node", "<!-- '\nrun("],
  ["node", ""],
  ["perl", "print '"],
  ["ruby", "puts '"],
  ["bash", "echo '"],
])("%s: what follows %s is code", (program, text) => {
  expect(endsInString(program, text)).toBe(false);
});
