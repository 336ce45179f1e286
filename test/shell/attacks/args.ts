import type { AttackGroup } from "./attack.ts";

export const args: AttackGroup = {
  kind: "args",
  attacks: [
    {
      name: "args with a value",
      expect: "harmless",
      args: ["printf", "%s", "${inputs.v}"],
      values: { v: "$(CANARY)" },
    },
    { name: "args bash -c", expect: "refused", args: ["bash", "-c", "${inputs.v}"], values: { v: "CANARY" } },
    {
      name: "args bash -c with text",
      expect: "refused",
      args: ["bash", "-c", "echo ${inputs.v}"],
      values: { v: "$(CANARY)" },
    },
    {
      name: "args sh -c with $1",
      expect: "harmless",
      args: ["sh", "-c", 'echo "$1"', "_", "${inputs.v}"],
      values: { v: "$(CANARY)" },
    },
    {
      name: "args sh -c that calculates",
      expect: "refused",
      args: ["bash", "-c", "echo $(( $1 ))", "_", "${inputs.v}"],
      values: { v: "a[$(CANARY)]" },
    },
    {
      name: "args of a value",
      expect: "warned",
      args: ["${inputs.v}", "x"],
      values: { v: "./evil" },
      setup: "printf '#!/bin/sh\ntouch PWNED\n' > evil && chmod +x evil",
    },
    { name: "args env sh -c", expect: "refused", args: ["env", "sh", "-c", "${inputs.v}"], values: { v: "CANARY" } },
    {
      name: "args python -c",
      expect: "refused",
      args: ["python3", "-c", "${inputs.v}"],
      values: { v: 'import os; os.system("CANARY")' },
      needs: ["python3"],
    },
    {
      name: "args make",
      expect: "warned",
      args: ["make", "${inputs.v}"],
      values: { v: "--eval=$(shell CANARY)" },
      setup: "printf 'all:\n\\t@true\n' > Makefile",
      needs: ["make"],
    },
    {
      name: "args git -c",
      expect: "warned",
      args: ["git", "-c", "${inputs.v}", "go"],
      values: { v: "alias.go=!CANARY" },
      needs: ["git"],
    },
  ],
};
