import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const inputs = {
  v: { type: "string", description: "Anything" },
  e: { type: "object", description: "Variables", default: {} },
};

function codesOf(block: object): string[] {
  const { diagnostics } = createTestEngine().check({ inputs, blocks: [{ id: "a", type: "Shell", inputs: block }] });
  return diagnostics.filter(({ level }) => level === "error").map(({ code }) => code);
}

test.each([
  { args: ["bash", "-c", "ls ${inputs.v}"] },
  { args: ["env", "A=1", "python3", "-c", "print('${inputs.v}')"] },
  { args: ["ssh", "host", "ls ${inputs.v}"] },
  { command: "bash", stdin: "echo ${inputs.v}" },
  { command: "cd x && python3 -", stdin: "${inputs.v}" },
  { args: ["bash"], stdin: "${inputs.v}" },
  { command: "ls", env: { BASH_ENV: "${inputs.v}" } },
  { command: "ls", env: { LD_PRELOAD: "x/${inputs.v}" } },
  { command: "ls", env: { NODE_OPTIONS: "${inputs.v}" } },
  { command: "ls", env: "${inputs.e}" },
  { command: 'eval "$P"', env: { P: "${inputs.v}" } },
  { command: "echo $((P + 1))", env: { P: "${inputs.v}" } },
  { command: "q=$P; [[ q -gt 1 ]]", env: { P: "1${inputs.v}", Q: "${inputs.v}" } },
  { command: 'echo "$P" | bash', env: { P: "${trim(inputs.v)}" } },
  { command: 'echo "${inputs.v}"; bash -c "ls $P"', env: { P: "${inputs.v}" } },
])("a value never becomes code on the ways beside the command either: %j", (block) => {
  expect(codesOf(block)).toHaveLength(1);
  expect(codesOf({ ...block, unsafe: true })).toEqual([]);
});

test.each([
  { args: ["bash", "-c", 'ls "$1"', "_", "${inputs.v}"] },
  { args: ["git", "commit", "-m", "${inputs.v}"] },
  { command: "cat", stdin: "${inputs.v}" },
  { command: "bash -c 'cat'", stdin: "${inputs.v}" },
  { command: "ls", env: { MESSAGE: "${inputs.v}", NODE_OPTIONS: "--max-old-space-size=4096" } },
  { command: 'printf "%s" "$P"; for p in $P; do ls -- "$p"; done', env: { P: "${inputs.v}" } },
  { command: 'eval "$P"', env: { P: "echo mine", Q: "${inputs.v}" } },
])("what is safe beside the command is accepted: %j", (block) => {
  expect(codesOf(block)).toEqual([]);
});

test("the message about an argument names the author's own expression", () => {
  const { diagnostics } = createTestEngine().check({
    inputs,
    blocks: [{ id: "a", type: "Shell", inputs: { args: ["bash", "-c", "ls ${trim(inputs.v)}"] } }],
  });
  expect(diagnostics[0]?.message).toContain("${trim(inputs.v)}");
});

test("file outputs are read below the workspace only, whatever the working directory is", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "real"));
  writeFileSync(join(engine.workspace, "real", "x"), "mine");
  symlinkSync("/etc", join(engine.workspace, "link"));
  const read = async (directory: string, path: string, unsafe = false): Promise<unknown> => {
    const { state } = await engine.run({
      blocks: [
        {
          id: "a",
          type: "Shell",
          inputs: { command: "true", working_dir: directory },
          outputs: { it: { path, unsafe } },
        },
      ],
    });
    const { metadata, outputs } = state.root.record.blocks.a ?? {};
    return metadata?.succeeded ? outputs?.it : metadata?.status;
  };
  expect(await read("real", "x")).toBe("mine");
  expect(await read("/etc", "hostname")).toBe("failed");
  expect(await read("/proc/self", "environ")).toBe("failed");
  expect(await read("link", "hostname")).toBe("failed");
  expect(await read(join(engine.workspace, "real"), "x")).toBe("mine");
  expect(await read("/etc", "passwd", true)).toContain("root");
});
