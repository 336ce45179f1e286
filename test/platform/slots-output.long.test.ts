import { afterAll, beforeAll, expect, test } from "vitest";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { bashRequest, started } from "./run-request.ts";
import { hasSlots } from "./ways-to-start.ts";

const processes = createProcesses({ slots: "always" });
const commands = scaled({ slice: 80, long: 10_000 });
const atOnce = 50;
/** Others that want the processor all the time. */
const burden = createProcesses({ slots: "never", graceMs: 0 });
const over = new AbortController();

beforeAll(() => {
  for (let n = 0; n < 6; n++) void burden.run(bashRequest("while :; do :; done", { signal: over.signal }));
});

afterAll(async () => {
  over.abort();
  await Promise.all([processes.close(0), burden.close(0)]);
});

test.runIf(hasSlots)(
  "of 10,000 commands, fifty at once on a busy machine, no output and no end is lost",
  async () => {
    const { signal } = new AbortController();
    const wrong: number[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let n = next++; n < commands; n = next++) {
        const command = `printf '%s\\n' ${n}; printf '%s\\n' e${n} >&2; exit ${n % 100}`;
        const { exitCode, stdout, stderr } = started(await processes.run(bashRequest(command, { signal })));
        if (exitCode !== n % 100 || stdout.text !== `${n}\n` || stderr.text !== `e${n}\n`) wrong.push(n);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect(wrong).toEqual([]);
  },
  longTimeout,
);
