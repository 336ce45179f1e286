import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { type FileStep, perform, temporary } from "./file-steps.ts";
import { inside, outside, startRace } from "./race-directories.ts";

const files = createFileSystem();

/** Everything that reads or changes something through the raced directory; what one takes away another brings back. */
const steps: readonly FileStep[] = [
  ...Array.from({ length: 10 }, (): FileStep => ["read", "raced/read"]),
  ["look", "raced/read"],
  ["list", "raced"],
  ["readPieces", "raced/read"],
  ["replace", "raced/replaced", inside],
  ["setMode", "raced/replaced", 0o755],
  ["remove", "raced/removed"],
  ["replace", "raced/removed", inside],
  ["makeDirectory", "raced/made"],
  ["remove", "raced/made"],
  ["makeLink", "raced/linked", inside],
  ["remove", "raced/linked"],
  ["rename", "raced/renamed", "aside/renamed"],
  ["rename", "aside/renamed", "raced/renamed"],
  ["rename", "raced/renamed", "raced/target"],
  ["replace", "raced/renamed", inside],
];

/** What the answer was about, whatever its words. */
function summarise(answer: unknown): string {
  if (Array.isArray(answer)) return answer.includes("secret") ? "listed outside" : "listed";
  if (typeof answer !== "string") return (answer as { readonly kind: string }).kind;
  return answer.split(":")[0] as string;
}

test("whatever is swapped in on the way, nothing outside is read or changed", async () => {
  const { ground, end } = await startRace();
  const canary = ground.canary();
  const seen = new Map<string, number>();
  const count = (what: string) => seen.get(what) ?? 0;
  // The race is only one when each of the states the directory goes through is met.
  const metEveryState = () => Math.min(count(inside), count("missing"), count("forbidden"), count("done")) >= 20;
  const until = performance.now() + 2000;
  while (performance.now() < until || !metEveryState()) {
    for (const step of steps) {
      const answer = summarise(await perform(files, ground.root, step));
      seen.set(answer, count(answer) + 1);
    }
  }
  await end();
  expect(ground.canary()).toEqual(canary);
  const answers = [inside, "file", "listed", "done", "missing", "exists", "forbidden"];
  expect([...seen.keys()].filter((answer) => !answers.includes(answer))).toEqual([]);
  const left = Object.entries(ground.tree());
  expect(left.filter(([, contents]) => ![inside, "directory", `link to ${inside}`].includes(contents))).toEqual([]);
  expect(left.filter(([path]) => path.includes(temporary))).toEqual([]);
});

test("the same race is lost by who looks first and reads then", async () => {
  const { ground, end } = await startRace();
  const readNaively = (path: string): string => {
    const absolute = join(ground.root, path);
    if (lstatSync(absolute).isSymbolicLink()) throw new Error("a link");
    if (!realpathSync(absolute).startsWith(`${ground.root}/`)) throw new Error("outside");
    return readFileSync(absolute, "utf8");
  };
  let read = "";
  const deadline = performance.now() + 100_000;
  while (read !== outside && performance.now() < deadline) {
    try {
      read = readNaively("raced/read");
    } catch {
      // Noticed, this time.
    }
  }
  expect(read).toBe(outside);
  await end();
});
