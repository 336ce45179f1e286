import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createTestEngine, type Outcome, type TestEngine } from "../rig/engine.ts";
import { compareSnapshots, takeSnapshot } from "../undo/tree-snapshot.ts";

const binary = Buffer.from([0, 255, 13, 10, 0xc3, 0x28]);

export interface Ground {
  readonly engine: TestEngine;
  at(path: string): string;
  /** What is different from the beginning. */
  differences(): readonly string[];
}

/** A workspace with one thing of every kind. */
export function prepare(): Ground {
  const engine = createTestEngine();
  const at = (path: string): string => join(engine.workspace, path);
  mkdirSync(at("dir/sub"), { recursive: true });
  chmodSync(at("dir/sub"), 0o700);
  writeFileSync(at("text"), "one\ntwo\nthree\n");
  writeFileSync(at("windows"), "one\r\ntwo\r\n");
  writeFileSync(at("empty"), "");
  writeFileSync(at("program"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(at("dir/binary"), binary);
  writeFileSync(at("dir/sub/ünï ☃"), "snow\n", { mode: 0o600 });
  symlinkSync("../text", at("dir/link"));
  symlinkSync("nowhere", at("dangling"));
  const before = takeSnapshot(engine.workspace);
  return { engine, at, differences: () => compareSnapshots(before, takeSnapshot(engine.workspace)) };
}

export async function succeed(engine: TestEngine, blocks: readonly object[]): Promise<Outcome> {
  const chained = blocks.map((block, index) => ({
    id: `b${index}`,
    depends_on: index === 0 ? [] : [`b${index - 1}`],
    ...block,
  }));
  const outcome = await engine.run({ blocks: chained });
  expect(outcome.response, JSON.stringify(outcome.response)).toMatchObject({ status: "success" });
  return outcome;
}
