/** Looks at a workspace before and after a command, in a process of its own, and prints what it found. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { beginObservation } from "../../src/platform/files/observe/begin-observation.ts";
import { endObservation } from "../../src/platform/files/observe/end-observation.ts";
import { readManifest } from "../../src/platform/files/observe/manifest.ts";
import type { Keeper, Kept } from "../../src/platform/files/observe/surroundings.ts";
import { readTree } from "../../src/platform/files/observe/tree-bytes.ts";
import { WorkspaceIndexes } from "../../src/platform/files/observe/workspace-index.ts";

const job = JSON.parse(await text(process.stdin)) as {
  readonly workspace: string;
  readonly indexes: string;
  readonly command: string;
};
const { workspace } = job;
const all = new Map<string, Uint8Array>();

function keep(bytes: Uint8Array): Kept {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  all.set(sha256, bytes);
  return { sha256, size: bytes.length };
}

function keepFile(path: string): Kept {
  try {
    return keep(readFileSync(`${workspace}/${path}`));
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code ?? "" };
  }
}

const keeper: Keeper = {
  keepFiles: async (paths) => paths.map(keepFile),
  keepBytes: async (bytes) => keep(bytes),
  use: async (sha256s) => sha256s.map((sha256) => all.has(sha256)),
  get: async (sha256) => all.get(sha256),
};
const around = { workspace, own: [], git: undefined, throwIfAborted() {} };
const begun = await beginObservation(around, [], new WorkspaceIndexes(job.indexes), keeper);
if (!begun.ok) throw new Error(begun.error);
execFileSync("sh", ["-c", job.command], { cwd: workspace });
const manifest = await readManifest(all.get(begun.value.snapshot) ?? new Uint8Array(), async (sha256) => {
  return readTree(all.get(sha256) ?? new Uint8Array())?.tree;
});
if (manifest === undefined) throw new Error("The manifest can't be read.");
const ended = await endObservation(around, manifest, keeper);
process.stdout.write(JSON.stringify({ before: begun.value.notCaptured, ...ended }));
