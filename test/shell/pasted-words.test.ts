import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const natural = { type: "integer", minimum: 0 };
const number = { type: "number" };
const text = { type: "string" };
const choice = { type: "string", enum: ["czf", "xzf"] };
const word = { type: "string", pattern: "[A-Za-z0-9_.]+" };
const digits = { type: "string", pattern: "[0-9]+" };
const plain = { type: "string", pattern: "[A-Za-z0-9_./:@%+=,][A-Za-z0-9_./:@%+=,-]*" };

function workflow(declaration: object, command: string): { blocks: readonly object[]; inputs: object } {
  return {
    inputs: {
      v: { description: "A value", ...declaration },
      w: { description: "Another value", ...plain, default: "w" },
      free: { type: "string", description: "Any text", default: "x" },
    },
    blocks: [{ id: "it", type: "Shell", inputs: { command } }],
  };
}

/** The first error's or warning's code. */
function verdict(declaration: object, command: string): string {
  const { diagnostics } = createTestEngine().check(workflow(declaration, command));
  const told = diagnostics.filter(({ level }) => level !== "hint");
  const worst = told.find(({ level }) => level === "error") ?? told[0];
  return worst === undefined ? "accepted" : `${worst.level === "error" ? "refused" : "warned"}: ${worst.code}`;
}

/** Each is followed by what is close to it, and harmless. */
describe("a word in a shell's text is refused where the shell makes more of its characters than a word", () => {
  test.each([
    // `,-x` would be a further word.
    [plain, 'bash -c "tar {-cf,{a,b}${inputs.v}}"', "refused: value-in-code"],
    [plain, 'bash -c "ls {a,b}${inputs.v}"', "accepted"],
    // P, which expands what the variable holds.
    [word, 'bash -c "x=\\$1; echo \\"\\${x@${inputs.v}}\\"" _ "${inputs.free}"', "refused: value-in-code"],
    [word, 'bash -c "echo \\"\\${x:-${inputs.v}}\\""', "accepted"],
    [word, 'bash -c "echo \\"\\${x}${inputs.v}\\""', "accepted"],
    // The backslash changes nothing about the name of a command.
    [word, 'sh -c "\\\\${inputs.v} x"', "refused: value-in-code"],
    [word, 'sh -c "echo x ${inputs.v}"', "accepted"],
    // -v, which evaluates the subscript of what follows.
    [word, 'bash -c "[ -${inputs.v} \\"\\$1\\" ]" _ "${inputs.free}"', "refused: value-as-option"],
    [word, 'bash -c "[ -f ${inputs.v} ]"', "accepted"],
    // Digits before > are the number of a stream, and no argument.
    [natural, 'sh -c "echo out ${inputs.v}>file"', "refused: value-in-code"],
    [word, 'sh -c "echo out ${inputs.v}<file"', "refused: value-in-code"],
    [natural, 'sh -c "echo out ${inputs.v} >file"', "accepted"],
    [natural, 'sh -c "echo out-${inputs.v}>file"', "accepted"],
    [choice, 'sh -c "echo out ${inputs.v}>file"', "accepted"],
    // The function could be called cd.
    [word, 'eval "${inputs.v}() { ls; }"', "refused: value-in-code"],
    [word, 'eval "function ${inputs.v} { ls; }"', "refused: value-in-code"],
    [word, 'eval "f() { ls ${inputs.v}; }"', "accepted"],
  ])("%j: %s", (declaration, command, expected) => {
    expect(verdict(declaration, command)).toBe(expected);
  });
});

describe("a value that decides which option or setting a word is needs to be written out", () => {
  test.each([
    [text, "make --${inputs.v}", "warned: value-as-option"],
    [plain, "make --${inputs.v}", "warned: value-as-option"],
    [plain, "make --ev${inputs.v}", "warned: value-as-option"],
    [plain, "make ${inputs.v}", "warned: value-as-option"],
    [word, "make ${inputs.v}${inputs.w}", "warned: value-as-option"],
    [text, "make SHELL${inputs.v}", "warned: value-as-option"],
    [plain, "make -- ${inputs.v}", "warned: value-as-option"],
    [text, 'make -- "${inputs.v}"', "warned: value-as-option"],
    [word, "make ${inputs.v}", "accepted"],
    [word, "make -- ${inputs.v}", "accepted"],
    [natural, "make -j${inputs.v}", "accepted"],
    [text, "make deploy-${inputs.v}", "accepted"],
    [word, "tar ${inputs.v} a.tgz src", "warned: value-as-option"],
    [choice, "tar ${inputs.v} a.tgz src", "accepted"],
    [text, "tar -${inputs.v} a.tgz src", "warned: value-as-option"],
    [text, "tar -x${inputs.v} a.tgz", "warned: value-as-option"],
    [text, "tar --${inputs.v} -cf a.tgz src", "warned: value-as-option"],
    [text, 'tar -czf "${inputs.v}" src', "accepted"],
    [text, 'tar -czf "a-${inputs.v}.tgz" src', "accepted"],
    [text, "rsync -a${inputs.v} a b", "warned: value-as-option"],
    [text, "git fetch --${inputs.v} origin", "warned: value-as-option"],
    [text, "git log -${inputs.v}", "accepted"],
    [text, "find . -${inputs.v} x", "warned: value-as-option"],
    [word, "sed -${inputs.v} file", "warned: value-in-program"],
    [word, "sed --${inputs.v} file", "warned: value-in-program"],
    [word, "env -${inputs.v} x", "refused: value-as-option"],
    [text, "ssh -${inputs.v} host", "refused: value-as-option"],
    [natural, "ssh -${inputs.v} host", "accepted"],
    [text, "nice -${inputs.v} ls", "accepted"],
    [digits, 'sqlite${inputs.v} :memory: "${inputs.free}"', "refused: value-as-command"],
    [digits, 'python${inputs.v} app.py "${inputs.free}"', "accepted"],
  ])("%j: %s", (declaration, command, expected) => {
    expect(verdict(declaration, command)).toBe(expected);
  });
});

describe("a word in a string is refused where the program may run its strings, or where it names what is loaded", () => {
  test.each([
    ["python3 -c \"import os; os.system('${inputs.v}')\"", "refused: value-in-code"],
    ["python3 -c \"import os; os.system('ls; ${inputs.v}')\"", "refused: value-in-code"],
    ["python3 -c \"import os; c = '${inputs.v}'; os.system(c)\"", "refused: value-in-code"],
    ["python3 -c \"from os import system as s; s('${inputs.v}')\"", "refused: value-in-code"],
    ["python3 -c \"import os; os.execvp('sh', ['sh', '-c', '${inputs.v}'])\"", "refused: value-in-code"],
    ["python3 -c \"import subprocess; subprocess.run(args='${inputs.v}')\"", "refused: value-in-code"],
    ["python3 -c \"__import__('${inputs.v}')\"", "refused: value-in-code"],
    ["python3 -c \"exec('import ${inputs.v}')\"", "refused: value-in-code"],
    ["python3 - <<EOF\nimport os\nos.system('${inputs.v}')\nEOF", "refused: value-in-code"],
    ["python3 -c \"print('${inputs.v}')\"", "accepted"],
    ["python3 -c \"import json; print(json.load(open('${inputs.v}'))['version'])\"", "accepted"],
    ["node -e \"require('${inputs.v}')\"", "refused: value-in-code"],
    ["node -e \"import('${inputs.v}')\"", "refused: value-in-code"],
    ["node -e \"require('child_process').execSync('${inputs.v}')\"", "refused: value-in-code"],
    ["node -p \"require('./${inputs.v}/package.json').version\"", "accepted"],
  ])("%s", (command, expected) => {
    expect(verdict(word, command)).toBe(expected);
  });
});

test("which file is run is not left to a value where the script writes any text to a file", () => {
  const names = { type: "string", enum: ["a", "b"] };
  expect(verdict(names, 'echo "${inputs.free}" > a; bash ${inputs.v}')).toBe("warned: value-as-command");
  expect(verdict(names, 'echo "${inputs.free}" > ./a; chmod +x a; ./${inputs.v}')).toBe("warned: value-as-command");
  expect(verdict(natural, 'echo "${inputs.free}" > 5.sh; bash ${inputs.v}.sh')).toBe("warned: value-as-command");
  expect(verdict(names, 'echo "${inputs.v}" > log; bash ${inputs.v}')).toBe("accepted");
  expect(verdict(names, 'echo "${inputs.free}"; bash ${inputs.v}')).toBe("accepted");
});

test("a number that is not finite is none", async () => {
  const engine = createTestEngine();
  const written = workflow(number, 'sh -c "sleep ${inputs.v}"');
  expect(await engine.refusal(written, { v: Number.POSITIVE_INFINITY })).toMatchObject([{ code: "wrong-type" }]);
});

test("what is accepted of these in a shell's text runs no value", async () => {
  const engine = createTestEngine();
  const canary = join(engine.workspace, "sang");
  writeFileSync(join(engine.workspace, "kanari"), `#!/bin/sh\n: > '${canary}'\n`, { mode: 0o755 });
  const command = 'bash -c "echo {a,b}${inputs.v} \\"\\${x:-${inputs.v}}\\""';
  const { response, state } = await engine.run(workflow(plain, command), { inputs: { v: "./kanari,x" } });
  expect(response.status).toBe("success");
  expect(state.root.record.blocks.it?.outputs.stdout).toBe("a./kanari,x b./kanari,x ./kanari,x\n");
  expect(existsSync(canary)).toBe(false);
});
