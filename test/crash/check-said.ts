import type { RunState } from "../../src/engine/state.ts";
import { digestOf } from "./digest.ts";
import type { DriverProcess } from "./driver-process.ts";
import type { Evidence } from "./evidence.ts";
import type { Said } from "./protocol.ts";
import type { Report } from "./violation.ts";

/** What a process was told, it may have shown to somebody: so all of it has to be true. */
export function checkSaid(
  evidence: Evidence,
  state: RunState | undefined,
  processes: readonly DriverProcess[],
  report: Report,
): void {
  const known = lookUp(evidence);
  const fences = new Map<number, number>();
  for (const { pid, said, job } of processes) {
    for (const one of said) {
      checkOne(one, known, state, report);
      if (one.say === "acknowledged") checkAcknowledged(one, pid, known, report);
      if (one.say !== "held") continue;
      const other = fences.get(one.fence);
      if (other !== undefined) report("one owner", `processes ${other} and ${pid} both hold the run as ${one.fence}`);
      fences.set(one.fence, pid);
    }
    const isLost = said.some((one) => one.say === "lost");
    const mayBeLost = processes.some(({ job: other }) => other.believesDead && other !== job);
    if (isLost && !mayBeLost) report("one owner", `process ${pid} has lost its run although it lived`);
  }
}

interface Known {
  readonly digests: readonly string[];
  readonly answered: ReadonlySet<string>;
  /** Answers that lie in the inbox. */
  readonly posted: ReadonlySet<string>;
  readonly isCancelKnown: boolean;
}

function lookUp({ events, requests }: Evidence): Known {
  return {
    digests: events.map(digestOf),
    answered: new Set(events.flatMap((event) => (event.type === "question-answered" ? [event.questionId] : []))),
    posted: new Set(requests.flatMap(({ request }) => (request.kind === "answer" ? [request.questionId] : []))),
    isCancelKnown:
      events.some(({ type }) => type === "run-cancelling" || type === "run-finished") ||
      requests.some(({ request }) => request.kind === "cancel"),
  };
}

function checkAcknowledged(
  { from, digests }: Extract<Said, { say: "acknowledged" }>,
  pid: number,
  known: Known,
  report: Report,
): void {
  for (const [index, digest] of digests.entries()) {
    const sequence = from + index;
    if (known.digests[sequence - 1] === digest) continue;
    const what = sequence > known.digests.length ? "is lost" : "is another one";
    report("acknowledged is durable", `event ${sequence}, acknowledged to process ${pid}, ${what}`);
  }
}

function checkOne(said: Said, known: Known, state: RunState | undefined, report: Report): void {
  switch (said.say) {
    case "answered":
      if (!known.answered.has(said.questionId)) report("requests are kept", `the answer to ${said.questionId} is lost`);
      return;
    case "posted": {
      const isOpen = state?.questions.has(said.questionId) ?? true;
      if (isOpen && !known.posted.has(said.questionId)) {
        report("requests are kept", `the answer to ${said.questionId} is neither in the inbox nor taken`);
      }
      return;
    }
    case "cancelled":
      if (!known.isCancelKnown) report("requests are kept", "the run was cancelled, and nothing says so");
      return;
    case "ended":
      if (state?.finished === undefined) report("acknowledged is durable", "a run that had ended has not ended");
      return;
  }
}
