import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { WorkflowHead, WorkflowLoader } from "./definition/load-workflow.ts";

/** What a list shows of the texts that come with Frond, by the keys of the texts. The build makes it. */
export type KnownHeads = Readonly<Record<string, WorkflowHead>>;

/** The very text: one that somebody has changed is read as any other. */
export function headKey(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** A loader that looks heads up first: to read those of the library takes most of the time that a list takes. */
export function knowHeads(loader: WorkflowLoader, file: string): WorkflowLoader {
  let known: KnownHeads | undefined;
  return {
    load: loader.load,
    head(source) {
      known ??= readHeads(file);
      return known[headKey(source.text)] ?? loader.head(source);
    },
  };
}

/** None where there is no build. */
function readHeads(file: string): KnownHeads {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as KnownHeads;
  } catch {
    return {};
  }
}
