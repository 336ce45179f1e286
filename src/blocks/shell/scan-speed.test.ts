import { describe, expect, test } from "vitest";
import { compileCommand } from "./compile-command.ts";

describe("a scan takes time in proportion to the text", () => {
  const size = 250_000;
  test.each([
    ...[
      "a",
      "'",
      '"',
      "$",
      "${",
      "$(",
      "((",
      "[[ ",
      "a[",
      "\\\n",
      "{ ",
      "( ",
      "if ",
      "case a in a) ",
      "`",
      "<<A ",
      "a=(",
      "@(",
      "${a:-",
      "$((",
      '"$(',
    ],
    ...[
      "${inputs.v} ",
      "'${inputs.v}' ",
      "echo 'a' \"b\"; ",
      "cat <<A\n$x\nA\n",
      "cat <<'A'\n${inputs.v}\nA\n",
      "a | bash | ",
      "command ",
      "env ",
      "bash ",
      "find -exec ",
    ],
    ...[
      "${inputs.",
      "${inputs.v",
      "$${inputs.v} ",
      "x\\\n",
      "echo ${inputs.v} | bash\n",
      "{ a; }\n",
      "a & ",
      "[ a ]; ",
      "a=(b)\n",
      "#\n",
      "declare x=1 ",
      "${   ",
    ],
    ...[
      "{",
      "{{ ",
      "{{inputs.x ",
      "'{{inputs.x}}' ",
      "$inputs.x ",
      "$inputs.",
      ".a",
      "$(inputs.x) ",
      "${{ ",
      "${a.b} ",
      "inputs=1 $inputs.x\n",
    ],
  ])("%j", (piece) => {
    const text = piece.repeat(Math.ceil(size / piece.length));
    const start = performance.now();
    compileCommand(text);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test.each(["$(", "${a:-", "$((", '"$(', "<(", "@(", "((", "a=("])(
    "20,000 nested %s are a problem, not a crash",
    (piece) => {
      expect(compileCommand(`echo x; ${piece.repeat(20_000)}`)).toMatchObject({ ok: false });
    },
  );
});
