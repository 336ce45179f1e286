// Loaded by every process of a story before anything else: its clock stands still until the story moves it on, and the ids of runs
// follow from the clock. So a story told twice looks the same.
const crypto = require("node:crypto");
const { readFileSync } = require("node:fs");

let known;

/** The same as long as a piece of code is not interrupted: whoever measures how long that takes must not meet the story's next step. */
function now() {
  if (known === undefined) {
    known = Number(readFileSync(process.env.STORY_CLOCK, "utf8"));
    queueMicrotask(() => {
      known = undefined;
    });
  }
  return known;
}

globalThis.Date = class extends Date {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
};
performance.now = now;

const { randomBytes } = crypto;
/** As many as a run id takes; whoever wants another number gets real ones. */
const idBytes = 7;
/** A process may start several runs at the same time: one that is rolled back is undone by another. */
let made = 0;
crypto.randomBytes = (size, ...rest) => {
  if (size !== idBytes) return randomBytes(size, ...rest);
  const seed = made++ === 0 ? String(now()) : `${now()} ${made}`;
  return crypto.createHash("sha256").update(seed).digest().subarray(0, size);
};
