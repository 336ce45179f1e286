import { createHash, randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const runPrefix = "run_";
const questionPrefix = "pause_";

/** Sorts by time of creation and can be read aloud: `run_01k9q8m3xw7t2h5r`. */
export function newRunId(now: Date): string {
  let time = now.getTime();
  let stamp = "";
  for (let digit = 0; digit < 9; digit++) {
    stamp = alphabet[time % 32] + stamp;
    time = Math.floor(time / 32);
  }
  const random = [...randomBytes(7)].map((byte) => alphabet[byte % 32]).join("");
  return `${runPrefix}${stamp}${random}`;
}

/**
 * Equal in every attempt at the same block of the same run, so that a service can recognise a repeated request. The address holds
 * the attempts around the block, for each of which it is a new request.
 */
export function idempotencyKey(runId: string, address: string): string {
  return createHash("sha256").update(`${runId}\n${address}`).digest("hex").slice(0, 32);
}

/** Names one question of one block; a block that asks again asks under a new name. The name tells the run. */
export function questionId(runId: string, address: string, question: number): string {
  const own = createHash("sha256").update(`${address}\n${question}`).digest("hex").slice(0, 10);
  return `${questionPrefix}${runId.slice(runPrefix.length)}_${own}`;
}

export function isQuestionId(id: string): boolean {
  return id.startsWith(questionPrefix);
}

/** Names the point at which every block up to a wave had ended. */
export function checkpointId(runId: string, wave: number): string {
  return `chk_${runId.slice(runPrefix.length)}_${wave}`;
}

/** The run that a checkpoint of either kind belongs to. */
export function runOfCheckpoint(id: string): string | undefined {
  const [, own] = /^(?:pause|chk)_([0-9a-z]+)_[0-9a-f]+$/.exec(id) ?? [];
  return own === undefined ? undefined : runPrefix + own;
}
