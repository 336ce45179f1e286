import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Frond, frondProgram } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";
import { type Call, type Command, matches, normalise, type Step } from "./recipe.ts";

/** Does what a piece of a document says, and compares what is printed with what it shows. */
export async function takeStep(step: Step, frond: Frond): Promise<void> {
  switch (step.kind) {
    case "file":
      return frond.write(step.path, step.text);
    case "commands":
      return runCommands(step.commands, frond);
    case "terminal":
      return answerInTerminal(step, frond);
    case "calls":
      return makeCalls(step.calls, frond);
  }
}

const mark = "-- end of a command --";

/** One shell for all commands of a block, so that `cd` and variables last. */
async function runCommands(commands: readonly Command[], frond: Frond): Promise<void> {
  const script = commands.map(({ text }) => `${text}\nprintf '%s\\n' '${mark}'`).join("\n");
  const printed = await runScript(script, frond);
  const outputs = printed.split(`${mark}\n`).map((output) => output.split("\n").slice(0, -1).map(normalise));
  for (const [index, { text, output }] of commands.entries()) {
    const found = outputs[index] ?? [];
    const expected = output.map(normalise);
    if (!matches(expected, found)) expect.soft(found, `what is printed by: ${text}`).toEqual(expected);
  }
}

function runScript(script: string, frond: Frond): Promise<string> {
  const bin = join(frond.home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "frond"), `#!/bin/sh\nexec '${process.execPath}' '${frondProgram}' "$@"\n`);
  chmodSync(join(bin, "frond"), 0o755);
  const somebody = { NAME: "Somebody", EMAIL: "somebody@example.org" };
  const identity = Object.entries(somebody).flatMap(([what, value]) =>
    ["AUTHOR", "COMMITTER"].map((role) => [`GIT_${role}_${what}`, value] as const),
  );
  const env = { ...frond.env, PATH: `${bin}:${frond.env.PATH}`, LC_ALL: "C.UTF-8", ...Object.fromEntries(identity) };
  const child = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
    cwd: frond.directory,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(printed));
  });
}

/** The person takes what is offered first. */
async function answerInTerminal(step: Extract<Step, { kind: "terminal" }>, frond: Frond): Promise<void> {
  const [program, ...args] = step.command.split(" ");
  expect(program).toBe("frond");
  const running = frond.startInTerminal(args, { env: { NO_COLOR: "1" } });
  await running.until(step.asks);
  // The tree shows what is asked before anybody reads what is typed.
  await running.until(" asks");
  running.type("\u001b[B\r");
  const { stdout } = await running.ended;
  const shown = stdout.split("\r\n").map(normalise);
  for (const line of step.output) expect(shown).toContain(normalise(line));
}

async function makeCalls(calls: readonly Call[], frond: Frond): Promise<void> {
  expect(calls.length).toBeGreaterThan(0);
  // The only tools that have to be asked for.
  const isPlan = calls.some(({ tool }) => tool === "execute_plan");
  const { call } = await connect(frond, isPlan ? { args: ["--toolsets", "plans,runs,undo"] } : {});
  let question = "";
  for (const { tool, args, reply } of calls) {
    const { data } = await call(tool, JSON.parse(args.replace("pause_...", question)) as Record<string, unknown>);
    expect(data).toMatchObject(expectation(JSON.parse(reply)) as object);
    question = (data as { checkpoint_id?: string }).checkpoint_id ?? "";
  }
}

/** A text with `...` in it stands for any that has the rest of it, in that order. */
function expectation(value: unknown): unknown {
  if (typeof value === "string" && value.includes("...")) {
    const parts = value.split("...").map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return expect.stringMatching(new RegExp(parts.join("[\\s\\S]*")));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expectation(inner)]));
}
