/**
 * Uses and removes blobs in the directory of its first argument, and kills itself before the step of its second one. Says of each
 * action that it begins and ends. Its runs are named by the third.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [directory = "", last = "0", prefix = "run_"] = process.argv.slice(2);
let left = Number(last);

function count(): void {
  if (--left === 0) process.kill(process.pid, "SIGKILL");
}

type Functions = Record<string, (...args: unknown[]) => unknown>;

function countCalls(object: object, names: readonly string[]): void {
  const functions = object as Functions;
  for (const name of names) {
    const original = functions[name] as Functions[string];
    functions[name] = function (this: unknown, ...args) {
      count();
      return original.apply(this, args);
    };
  }
}

countCalls(fs, ["openSync", "writeSync", "fsync", "closeSync", "linkSync", "mkdirSync", "statSync"]);
countCalls(fs, ["renameSync", "unlinkSync", "rmSync"]);
syncBuiltinESMExports();
left = Number(last);

const { createBlobs } = await import("../../src/platform/files/blobs.ts");
const blobs = createBlobs(directory, { mostBytes: 1e6 });
const shared = Buffer.from("shared");
const { value: sha256 } = (await act("put run_1", () => blobs.put(`${prefix}1`, shared))) as { readonly value: string };
await act("put run_2", () => blobs.put(`${prefix}2`, shared));
await act("put own run_2", () => blobs.put(`${prefix}2`, Buffer.from("own"), { lasting: false }));
if (!(await act("use run_3", () => blobs.use(`${prefix}3`, sha256)))) throw new Error("It is gone.");
for (const number of [1, 2, 3]) await act(`remove run_${number}`, async () => blobs.remove(`${prefix}${number}`));
await act("sweep", () => blobs.sweep());
fs.writeSync(1, "finished\n");

async function act<T>(name: string, action: () => Promise<T>): Promise<T> {
  fs.writeSync(1, `begin ${name}\n`);
  const result = await action();
  fs.writeSync(1, `end ${name}\n`);
  return result;
}
