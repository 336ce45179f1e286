import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestEngine } from "../../rig/engine.ts";
import { fillIn, type GivenValues, spellValues } from "../spell-values.ts";
import type { Attack } from "./attack.ts";

/** What Frond says of a block: an error, a warning, or nothing. */
export type Verdict = "refused" | "warned" | "accepted";

const seconds = 10;

/** The block with its values declared as inputs, as a workflow. */
function workflowOf(attacks: readonly (readonly [string, Attack])[]): { inputs: object; blocks: object[] } {
  const inputs = attacks.flatMap(([id, { values }]) =>
    Object.entries(values).map(([name, value]) => [
      `${id}_${name}`,
      { type: typeof value === "string" ? "string" : "array", description: "A value" },
    ]),
  );
  const blocks = attacks.map(([id, { command, args, stdin, env, shell }]) => {
    const block = { command, args, stdin, env, shell, working_dir: id };
    const text = JSON.stringify({ id, type: "Shell", timeout: `${seconds}s`, inputs: block });
    return JSON.parse(text.replaceAll("${inputs.", `\${inputs.${id}_`)) as object;
  });
  return { inputs: Object.fromEntries(inputs), blocks };
}

export function judge(engine: TestEngine, attack: Attack): Verdict {
  const { diagnostics } = engine.check(workflowOf([["it", attack]]));
  const misplaced = diagnostics.find(({ level, code }) => level === "error" && mistakes.has(code));
  if (misplaced !== undefined) throw new Error(`${attack.name} is no workflow: ${misplaced.message}`);
  if (diagnostics.some(({ level }) => level === "error")) return "refused";
  return diagnostics.some(({ level }) => level === "warning") ? "warned" : "accepted";
}

/** Errors that say nothing of values: the attack is badly written. */
const mistakes = new Set(["yaml-syntax", "unknown-key", "unknown-input", "unknown-value", "wrong-type", "bad-name"]);

/** Runs accepted attacks, each as a block in a directory of its own; gives those whose value ran. */
export async function runAttacks(engine: TestEngine, attacks: readonly Attack[]): Promise<readonly Attack[]> {
  const placed = await Promise.all(attacks.map((attack, index) => place(attack, engine.workspace, `a${index}`)));
  const inputs = placed.flatMap(({ id, values }) =>
    Object.entries(values).map(([name, value]) => [`${id}_${name}`, value] as const),
  );
  const written = workflowOf(placed.map(({ id, attack }) => [id, attack]));
  await engine.run(written, { inputs: Object.fromEntries(inputs), maxParallel: 6 });
  return placed.filter((one) => hasRun(one)).map(({ attack }) => attack);
}

/** The same attacks with their values spelled as variables and nothing refused; gives those whose value ran. */
export async function runWithoutRefusing(directory: string, attacks: readonly Attack[]): Promise<readonly Attack[]> {
  const executed: Attack[] = [];
  const queue = attacks.entries();
  const work = async (): Promise<void> => {
    for (const [index, attack] of queue) {
      const placed = await place(attack, directory, `n${index}`);
      await runPlaced(placed);
      if (hasRun(placed)) executed.push(attack);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return executed;
}

export function isRunnable({ needs = [], cannotRun }: Attack): boolean {
  return cannotRun === undefined && needs.every(isInstalled);
}

const installed = new Map<string, boolean>();

function isInstalled(program: string): boolean {
  const known = installed.get(program);
  if (known !== undefined) return known;
  const found = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  installed.set(program, found);
  return found;
}

interface Placed {
  readonly id: string;
  readonly attack: Attack;
  readonly values: GivenValues;
  readonly directory: string;
  readonly canary: string;
}

/** Makes the directory of an attack and its values. */
async function place(attack: Attack, parent: string, id: string): Promise<Placed> {
  const directory = join(parent, id);
  const canary = join(parent, `${id}.canary`);
  mkdirSync(directory);
  if (attack.setup !== undefined) await start("sh", ["-ec", attack.setup], { directory });
  const arm = (text: string): string =>
    text
      .replaceAll("CANARY", () => `touch ${canary}`)
      .replaceAll("TARGET", () => canary)
      .replaceAll("HERE", "touch PWNED");
  const values = Object.entries(attack.values).map(([name, value]) => [
    name,
    typeof value === "string" ? arm(value) : value.map(arm),
  ]);
  return { id, attack, values: Object.fromEntries(values), directory, canary };
}

function hasRun({ canary, directory }: Placed): boolean {
  return existsSync(canary) || existsSync(join(directory, "PWNED"));
}

async function runPlaced({ attack, values, directory }: Placed): Promise<void> {
  const { command = "", args, shell = "bash", env = {}, stdin = "" } = attack;
  const filled = Object.entries(env).map(([name, text]) => [name, fillIn(text, values)]);
  const [file = "", ...rest] = args?.map((item) => fillIn(item, values)) ?? [shell, "-c", spellValues(command, values)];
  await start(file, rest, { directory, env: Object.fromEntries(filled), stdin: fillIn(stdin, values) });
}

/** Standard input is a file: bash takes a socket, which is what a pipe of Node is, for a remote login. */
function start(
  file: string,
  args: readonly string[],
  { directory, env = {}, stdin = "" }: { directory: string; env?: Record<string, string>; stdin?: string },
): Promise<void> {
  writeFileSync(`${directory}.stdin`, stdin);
  const descriptor = openSync(`${directory}.stdin`, "r");
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, ...env },
      stdio: [descriptor, "ignore", "ignore"],
      detached: true,
    });
    closeSync(descriptor);
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), seconds * 1000);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    child.on("error", end);
    child.on("close", end);
  });
}
