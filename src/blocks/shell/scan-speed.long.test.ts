import { describe, expect, test } from "vitest";
import { startCpuTime } from "../../../test/rig/cpu-time.ts";
import { scaled } from "../../../test/rig/scale.ts";
import { compileCommand } from "./compile-command.ts";

describe("a scan takes time in proportion to the text", () => {
  const size = scaled({ slice: 4_000, long: 50_000 });
  /** Ten times as much as it takes, and a hundredth of what it would take if it did not. */
  const mostMs = size;
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
      "$${inputs.a ",
      "n=${inputs.v} $((n)) ",
      "n=$n;",
      "f() { $1; }; f $n;",
      "echo $n | read n;",
      'a=(${inputs.v}); "${a[@]}" b;',
      "`$n`",
      "echo | tr -d a ",
      "echo > >(sh) ",
      "[[ n -gt 1 ]];",
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
    const cpuTime = startCpuTime();
    compileCommand(text);
    expect(cpuTime()).toBeLessThan(mostMs);
  });

  test.each(["echo $(", "echo ${a:=", "tee >("])("95 nested %j around many variables and commands", (opening) => {
    const closing = opening.endsWith("=") ? "}" : ")";
    const inside = (closing === "}" ? "$n " : "echo $n; ").repeat(size / 10);
    const cpuTime = startCpuTime();
    compileCommand(`n=\${inputs.v}; ${opening.repeat(95)}${inside}${closing.repeat(95)}`);
    expect(cpuTime()).toBeLessThan(mostMs);
  });

  test.each(["$(", "${a:-", "$((", '"$(', "<(", "@(", "((", "a=("])(
    "20,000 nested %s are a problem, not a crash",
    (piece) => {
      const compiled = compileCommand(`echo x; ${piece.repeat(20_000)}`);
      expect(compiled.ok ? compiled.value.syntax?.code : compiled.error[0]?.code).toBe("shell-syntax");
    },
  );
});
