import type { Cost, Spend } from "../../src/block/spend.ts";
import type { Budget } from "../../src/definition/workflow-definition.ts";
import type { BlockStarted, RunBudget, RunEvent, RunStarted } from "../../src/engine/events.ts";
import type { PlanSource } from "../../src/engine/state.ts";
import type { Plan } from "../../src/plan/plan.ts";

/**
 * What the events of a run say about its budgets, counted again in whole billionths of a dollar, without the engine's own sums: at every
 * start of a leaf, what is spent and what is reserved stay within every limit around it. Throws where that is not so.
 */
export function checkBudgets(events: readonly RunEvent[], plans: PlanSource): { readonly starts: number } {
  const ledger = new Ledger(plans);
  for (const event of events) ledger.read(event);
  return { starts: ledger.starts };
}

interface Scope {
  readonly path: string;
  usd: bigint | undefined;
  tokens: number | undefined;
  blocks: number | undefined;
  spentUsd: bigint;
  spentTokens: number;
  started: number;
}

const billionths = (usd: number): bigint => BigInt(Math.round(usd * 1e9));

class Ledger {
  starts = 0;
  readonly #plans: PlanSource;
  readonly #scopes = new Map<string, Scope>();
  readonly #open = new Map<string, Cost>();
  /** What runs inside each node, to tell which budgets and which `finally` it has. */
  readonly #inside = new Map<string, Plan>();

  constructor(plans: PlanSource) {
    this.#plans = plans;
  }

  read(event: RunEvent): void {
    if (event.type === "run-started") return this.#begin(event);
    if (event.type === "block-started") return event.inside.kind === "leaf" ? this.#start(event) : this.#enter(event);
    if (event.type === "block-resumed") return this.#reserve(event.path, event.reserved, 0);
    if (event.type === "budget-raised") {
      const scope = this.#scopes.get(event.path);
      if (scope === undefined) throw new Error(`${event.path} has no budget to raise.`);
      if (event.limit === "usd") scope.usd = billionths(event.to);
      if (event.limit === "tokens") scope.tokens = event.to;
      if (event.limit === "blocks") scope.blocks = event.to;
    }
    if (!("path" in event)) return;
    const isEnd = ["attempt-ended", "block-finished", "block-interrupted", "block-paused", "block-sleeping"];
    if (!isEnd.includes(event.type)) return;
    this.#open.delete(event.path);
    if ("spend" in event && event.spend !== undefined) this.#commit(event.path, event.spend);
  }

  #begin({ workflow, key, budget }: RunStarted): void {
    const plan = this.#plans(key ?? workflow);
    if (!plan.ok) throw new Error(plan.error);
    this.#inside.set("", plan.value);
    this.#add("", [budget, plan.value.definition.budget]);
  }

  #enter({ path, inside }: BlockStarted): void {
    const block = this.#blockAt(path);
    const isPass = this.#parentKind(path) === "loop";
    const own = isPass ? undefined : block?.definition.budget;
    if (inside.kind === "loop") return this.#add(path, [block?.definition.budget]);
    if (inside.kind === "group" && block?.group !== undefined) this.#inside.set(path, block.group);
    const plan = inside.kind === "workflow" ? this.#plans(inside.workflow, inside.definition) : undefined;
    if (plan?.ok) this.#inside.set(path, plan.value);
    this.#add(path, [own, plan?.ok ? plan.value.definition.budget : undefined]);
  }

  #parentKind(path: string): "loop" | "blocks" {
    return this.#inside.has(parentOf(path)) ? "blocks" : "loop";
  }

  /** The block that a path leads to; of a pass, the loop's. */
  #blockAt(path: string): Plan["blocks"][number] | undefined {
    const parent = parentOf(path);
    const plan = this.#inside.get(parent);
    if (plan === undefined) return this.#blockAt(parent);
    return plan.blocks[plan.indexOf.get(path.slice(parent === "" ? 0 : parent.length + 1)) ?? -1];
  }

  #add(path: string, budgets: readonly (RunBudget | Budget | undefined)[]): void {
    const least = (values: readonly (number | undefined)[]): number | undefined => {
      const given = values.filter((value) => value !== undefined);
      return given.length === 0 ? undefined : Math.min(...given);
    };
    const usd = least(budgets.map((budget) => budget?.maxCostUsd));
    const known = this.#scopes.get(path);
    if (known !== undefined) return;
    this.#scopes.set(path, {
      path,
      usd: usd === undefined ? undefined : billionths(usd),
      tokens: least(budgets.map((budget) => budget?.maxTokens)),
      blocks: least(budgets.map((budget) => budget?.maxBlocks)),
      spentUsd: 0n,
      spentTokens: 0,
      started: 0,
    });
  }

  #start({ path, reserved }: BlockStarted): void {
    this.starts++;
    this.#reserve(path, reserved, 1);
  }

  #reserve(path: string, cost: Cost | undefined, count: number): void {
    if (this.#open.has(path)) throw new Error(`${path} started while it ran.`);
    this.#open.set(path, cost ?? {});
    const isFree = this.#isInFinally(path);
    for (const scope of this.#around(path)) {
      scope.started += count;
      if (isFree) continue;
      let usd = scope.spentUsd;
      let tokens = scope.spentTokens;
      for (const [open, held] of this.#open) {
        if (!isInside(open, scope.path)) continue;
        usd += billionths(held.usd ?? 0);
        tokens += held.tokens ?? 0;
      }
      const over =
        (scope.usd !== undefined && usd > scope.usd) ||
        (scope.tokens !== undefined && tokens > scope.tokens) ||
        (scope.blocks !== undefined && scope.started > scope.blocks);
      if (over) throw new Error(`'${path}' started beyond the budget of '${scope.path}'.`);
    }
  }

  #isInFinally(path: string): boolean {
    for (let at = path; at !== ""; at = parentOf(at)) {
      const plan = this.#inside.get(parentOf(at));
      const block = plan === undefined ? undefined : this.#blockAt(at);
      if (plan !== undefined && block !== undefined && block.index >= plan.mainBlocks) return true;
    }
    return false;
  }

  #commit(path: string, { usd, tokens }: Spend): void {
    for (const scope of this.#around(path)) {
      scope.spentUsd += billionths(usd);
      scope.spentTokens += tokens;
    }
  }

  *#around(path: string): Generator<Scope> {
    for (let at = path; at !== ""; ) {
      at = parentOf(at);
      const scope = this.#scopes.get(at);
      if (scope !== undefined) yield scope;
    }
  }
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

function isInside(path: string, scope: string): boolean {
  return scope === "" || path.startsWith(`${scope}/`);
}
