import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Sorts by time of creation and can be read aloud: `run_01k9q8m3xw7t2h5r`. */
export function newRunId(now: Date): string {
  let time = now.getTime();
  let stamp = "";
  for (let digit = 0; digit < 9; digit++) {
    stamp = alphabet[time % 32] + stamp;
    time = Math.floor(time / 32);
  }
  const random = [...randomBytes(7)].map((byte) => alphabet[byte % 32]).join("");
  return `run_${stamp}${random}`;
}

/** Equal in every attempt at the same block of the same run, so that a service can recognise a repeated request. */
export function idempotencyKey(runId: string, path: string): string {
  return createHash("sha256").update(`${runId}\n${path}`).digest("hex").slice(0, 32);
}

/** Names one question of one block; a block that asks again asks under a new name. */
export function pendingId(runId: string, path: string, question: number): string {
  return `pause_${createHash("sha256").update(`${runId}\n${path}\n${question}`).digest("hex").slice(0, 20)}`;
}
