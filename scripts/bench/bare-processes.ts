import { spawn } from "node:child_process";

/** A command run by node:child_process alone, its output collected: what Frond is measured against. */
export function spawnBare(command: string, cwd: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? -1));
  });
}

export async function spawnChain(commands: readonly string[], cwd: string): Promise<void> {
  for (const command of commands) await spawnBare(command, cwd);
}

export async function spawnPool(commands: readonly string[], atOnce: number, cwd: string): Promise<void> {
  const queue = [...commands];
  const work = async (): Promise<void> => {
    for (let command = queue.pop(); command !== undefined; command = queue.pop()) await spawnBare(command, cwd);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
