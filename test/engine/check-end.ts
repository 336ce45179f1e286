import type {
  AttemptEnded,
  BlockFinished,
  BlockInterrupted,
  BlockResumed,
  BlockSleeping,
  BlockStarted,
  BlockWoken,
  QuestionAnswered,
  RunEvent,
  RunStarted,
} from "../../src/engine/events.ts";
import { nodeAt } from "../../src/engine/node-at.ts";
import { childNodes, type RunNode, scopesAround, type WorkflowInside } from "../../src/engine/run-node.ts";
import { applyEvent, createState, type PlanSource, type RunState } from "../../src/engine/state.ts";
import { FinallyHistory } from "./check-finally.ts";
import { EarlyEndings } from "./early-endings.ts";
import { attemptLimit } from "./fates.ts";
import { around, isBelowStoppedLoop, must } from "./invariants.ts";
import { foldAnew, snapshot } from "./snapshot.ts";

const validEndings = ["completed success", "completed failure", "failed n/a", "skipped n/a"];

/** What must hold of every run that has ended, however often it changed hands. */
export function checkEnd(state: RunState, events: readonly RunEvent[], plans: PlanSource): void {
  must(state.finished !== undefined, "it has ended");
  must(state.questions.size === 0, "nothing is asked when it has ended");
  must(state.sleeping.size === 0, "nothing sleeps when it has ended");
  must(state.closing.size === 0, "no `finally` is left when it has ended");
  checkHistory(events, plans);
  for (const node of state.nodes.values()) {
    const { status, outcome } = node.record.metadata;
    must(validEndings.includes(`${status} ${outcome}`), `${node.path} is ${status} ${outcome}`);
    must(node.ended, `${node.path} has ended`);
  }
  must(snapshot(foldAnew(events, plans)) === snapshot(state), "the state is what the events say");
}

/** Whether each event may follow those before it. */
function checkHistory(events: readonly RunEvent[], plans: PlanSource): void {
  const [started, ...rest] = events as [RunStarted, ...RunEvent[]];
  const history = new History(createState(started, plans));
  for (const event of rest) history.take(event);
  history.end();
}

class History {
  readonly #state: RunState;
  readonly #attempts = new Attempts();
  readonly #sleeps = new Sleeps();
  readonly #ended = new Set<string>();
  readonly #endings = new EarlyEndings();
  readonly #finally: FinallyHistory;
  readonly #asked = new Set<string>();

  constructor(state: RunState) {
    this.#state = state;
    this.#finally = new FinallyHistory(state.started.runId, this.#endings);
  }

  take(event: RunEvent): void {
    if (!("path" in event)) {
      if (event.type === "run-cancelling") this.#endings.cancelRun(event);
      if (event.type === "run-finished") this.#finally.end(event, this.#state.root);
      return applyEvent(this.#state, event);
    }
    const { path } = event;
    must(!this.#ended.has(path), `${path} has ended before its ${event.type}`);
    // As it is before the event, which may begin anew with it.
    const node = nodeAt(this.#state, path);
    this.#finally.happen(node, event.type);
    if (event.type === "block-started") {
      this.#checkOrder(node);
      forgetBelow(this.#ended, path);
      this.#endings.forget(path);
      this.#finally.forget(path);
    }
    if (event.type === "block-started" || event.type === "block-resumed") {
      must(!this.#endings.reach(node), `${event.type} ${path} in something that is being ended`);
      this.#sleeps.begin(node);
      this.#attempts.begin(event, node);
    }
    if (event.type === "block-interrupted") this.#attempts.interrupt(event);
    if (event.type === "question-answered") this.#attempts.answer(event);
    if (event.type === "finally-started") this.#finally.begin(event, node);
    if (event.type === "block-cancelling") this.#endings.cancelBlock(event, node);
    if (event.type === "attempt-ended") this.#endAttempt(event, node);
    if (event.type === "block-sleeping") this.#sleeps.fallAsleep(event, event.until);
    if (event.type === "block-woken") this.#sleeps.wake(event);
    if (event.type === "block-paused") {
      must(!this.#asked.has(event.questionId), `${path} asks under an id that was used before`);
      this.#asked.add(event.questionId);
    }
    if (event.type === "block-skipped") this.#finally.skip(event, node);
    if (event.type === "block-finished") this.#checkFinished(event, node);
    if (event.type === "block-finished" || event.type === "block-skipped") {
      this.#ended.add(path);
      if (this.#sleeps.withdraw(path)) must(this.#isGivenUp(node), `${path} is given up while it sleeps`);
    }
    applyEvent(this.#state, event);
    if (event.type === "block-started") checkFreshRecords(node);
  }

  end(): void {
    this.#sleeps.end();
    for (const { path } of this.#state.nodes.values()) must(path === "" || this.#ended.has(path), `${path} has ended`);
  }

  #endAttempt(event: AttemptEnded, node: RunNode): void {
    const { path } = event;
    for (const child of childNodes(node)) must(this.#ended.has(child.path), `${child.path} outlives its attempt`);
    must(!this.#endings.reach(node), `${path} is to be tried again although it is being ended`);
    this.#finally.end(event, node);
    this.#attempts.end(event, node);
    this.#sleeps.fallAsleep(event, event.retryAt);
  }

  #checkFinished(event: BlockFinished, node: RunNode): void {
    const isCancelled = event.status === "failed" && event.cause === "cancelled";
    must(!isCancelled || this.#isGivenUp(node), `nothing ends ${event.path}, and it is told to be cancelled`);
    this.#finally.end(event, node);
  }

  #isGivenUp(node: RunNode): boolean {
    return (
      this.#endings.reach(node) || isBelowStoppedLoop(node) || (node.inside.kind === "loop" && node.inside.stopped)
    );
  }

  #checkOrder(node: RunNode): void {
    for (const { path } of around(node)) must(!this.#ended.has(path), `${path} has ended when ${node.path} starts`);
    if (node.element !== undefined) return;
    const { children } = node.workflow.inside as WorkflowInside;
    for (const { on } of node.block?.edges ?? []) {
      must(this.#ended.has(children[on]?.path ?? ""), `${node.path} waits for ${children[on]?.path}`);
    }
    const scopes = [...scopesAround(node)];
    for (const { on, levels } of node.block?.outerEdges ?? []) {
      const scope = (scopes[levels] as RunNode).inside as WorkflowInside;
      const { path } = scope.children[on] as RunNode;
      must(this.#ended.has(path), `${node.path} waits for ${path}, which is around it`);
    }
  }
}

/** Nothing is left of an earlier attempt in what a node holds that has just started. */
function checkFreshRecords(node: RunNode): void {
  const children = childNodes(node);
  const blocks = Object.values(node.record.blocks);
  must(blocks.length === children.length, `${node.path} begins with ${blocks.length} records`);
  for (const { path, record, stage, earlier, questions } of children) {
    const { status, attempts } = record.metadata;
    const isFresh = status === "pending" && attempts === 0 && stage.kind === "waiting";
    must(isFresh && earlier.length === 0 && questions === 0, `${path} begins anew`);
    must(blocks.includes(record), `the record of ${path} is the one that is shown`);
  }
}

/**
 * The attempts at each block: their numbers go up by one, but an answer is worked in by the attempt that asked. There are no more
 * than is said, and one for each interruption.
 */
class Attempts {
  readonly #latest = new Map<string, number>();
  readonly #interruptions = new Map<string, number>();
  readonly #interrupted = new Set<string>();
  readonly #decided = new Set<string>();
  /** By where a block stands among the attempts around it. */
  readonly #keys = new Map<string, string>();
  readonly #isTriedAgain = new Set<string>();

  interrupt({ path, attempt }: BlockInterrupted): void {
    must(attempt === this.#latest.get(path), `attempt ${attempt} at ${path} was not under way`);
    this.#interrupted.add(path);
    this.#interruptions.set(path, (this.#interruptions.get(path) ?? 0) + 1);
  }

  answer({ path, answer }: QuestionAnswered): void {
    if (this.#interrupted.has(path) && answer !== "rerun") this.#decided.add(path);
  }

  begin(event: BlockStarted | BlockResumed, node: RunNode): void {
    const { path, attempt } = event;
    const before = this.#latest.get(path) ?? 0;
    const isInterrupted = this.#interrupted.delete(path);
    const isSame = event.type === "block-resumed" && !isInterrupted;
    must(attempt === (isSame ? before : before + 1), `attempt ${attempt} at ${path} after attempt ${before}`);
    const mayBegin = before === 0 || isSame || isInterrupted || this.#isTriedAgain.delete(path);
    must(mayBegin, `${path} begins anew although nothing has ended its attempt`);
    must(!this.#decided.has(path), `${path} begins although it was decided that it does not`);
    const most = attemptLimit(node) + (this.#interruptions.get(path) ?? 0);
    must(attempt <= most, `attempt ${attempt} at ${path}, of ${most}`);
    this.#latest.set(path, attempt);
    if (event.type === "block-resumed") return;
    for (const all of [this.#latest, this.#interruptions, this.#interrupted, this.#decided]) forgetBelow(all, path);
    this.#checkKey(path, event.idempotencyKey);
  }

  end({ path, attempt, status, outcome }: AttemptEnded, node: RunNode): void {
    must(attempt === this.#latest.get(path), `attempt ${attempt} at ${path} was not under way`);
    must(attempt < attemptLimit(node), `attempt ${attempt} at ${path} was the last`);
    must(`${status} ${outcome}` !== "completed success", `attempt ${attempt} at ${path} went well`);
    this.#isTriedAgain.add(path);
  }

  /** Equal in all attempts at a block; another one in each attempt around it, and for each other block. */
  #checkKey(path: string, key: string): void {
    const address = this.#addressOf(path);
    const known = this.#keys.get(key);
    must(known === undefined || known === address, `${address} has the idempotency key of ${known}`);
    const isNew = ![...this.#keys.values()].includes(address);
    must(isNew || known === address, `${address} has another idempotency key`);
    this.#keys.set(key, address);
  }

  #addressOf(path: string): string {
    const names = path.split("/");
    const around = names.slice(0, -1).map((name, index) => {
      return `${name}@${this.#latest.get(names.slice(0, index + 1).join("/"))}`;
    });
    return [...around, names.at(-1)].join("/");
  }
}

/** Nothing that sleeps goes on before it is woken, and it is woken once, when its time has come. */
class Sleeps {
  readonly #until = new Map<string, string>();

  fallAsleep({ path, at }: AttemptEnded | BlockSleeping, until: string): void {
    must(!this.#until.has(path), `${path} sleeps already`);
    must(until >= at, `${path} is to be woken before it sleeps`);
    this.#until.set(path, until);
  }

  wake({ path, at }: BlockWoken): void {
    const until = this.#until.get(path);
    must(until !== undefined, `${path} is woken and does not sleep`);
    must(at >= until, `${path} is woken at ${at}, not at ${until}`);
    this.#until.delete(path);
  }

  begin(node: RunNode): void {
    for (const { path } of [node, ...around(node)]) {
      must(!this.#until.has(path), `${node.path} begins while ${path} sleeps`);
    }
  }

  /** What is being ended is not waited for. Whether it slept. */
  withdraw(path: string): boolean {
    return this.#until.delete(path);
  }

  end(): void {
    must(this.#until.size === 0, `${[...this.#until.keys()]} sleep when the run has ended`);
  }
}

function forgetBelow(all: Map<string, unknown> | Set<string>, path: string): void {
  for (const other of all.keys()) if (other.startsWith(`${path}/`)) all.delete(other);
}
