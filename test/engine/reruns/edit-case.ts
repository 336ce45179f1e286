import type { Value } from "../../../src/expression/value.ts";
import { pick, type Random } from "../../crash/random.ts";
import { type FoundBlock, findBlocks, ownText, varsIn } from "./find-blocks.ts";
import {
  type Case,
  type CaseBlock,
  type CaseWorkflow,
  type Maker,
  nextId,
  writeElements,
  writeValue,
  writeWork,
} from "./make-case.ts";

/** What an edit has changed, told by who made it and not by who finds out. */
export interface Edit {
  readonly name: string;
  /** Blocks that say or read something else now: none of their results may be taken. */
  readonly changed: readonly string[];
  /** Blocks in which anything may run. */
  readonly touched: readonly string[];
  /** Blocks that give something else, though all in them is as it was. */
  readonly gives: readonly string[];
  /** The loop that runs over other elements now, if that is all. */
  readonly loop?: string;
}

type MakeEdit = (edited: Case, maker: Maker) => Omit<Edit, "name"> | undefined;

const nothing: Omit<Edit, "name"> = { changed: [], touched: [], gives: [] };

function changing(...ids: readonly string[]): Omit<Edit, "name"> {
  return { changed: ids, touched: ids, gives: [] };
}

function someBlock(edited: Case, random: Random, fits: (found: FoundBlock) => boolean): FoundBlock | undefined {
  const fitting = [...findBlocks(edited).values()].filter(fits);
  return fitting.length === 0 ? undefined : pick(random, fitting);
}

const isWork = ({ block }: FoundBlock): boolean => block.type === "Work";
const isLoop = ({ block }: FoundBlock): boolean => typeof block.for_each === "object";
const holdsBlocks = ({ block }: FoundBlock): boolean => block.type !== "Work";

function workflowsOf({ root, library }: Case): CaseWorkflow[] {
  return [root, ...Object.values(library)];
}

function readersOf(edited: Case, workflow: CaseWorkflow, reads: (text: string) => boolean): string[] {
  return [...findBlocks(edited).values()]
    .filter((found) => found.workflow === workflow && reads(ownText(found.block)))
    .map(({ block }) => block.id);
}

/** Also those that read it by a var. */
function inputReaders(edited: Case, workflow: CaseWorkflow, name: string): string[] {
  const read = `inputs.${name}`;
  return readersOf(
    edited,
    workflow,
    (text) => text.includes(read) || varsIn(text).some((one) => JSON.stringify(workflow.vars[one]).includes(read)),
  );
}

/** Of a loop or of what holds blocks only what is in it can be told to have changed. */
function onlyLeaves(edited: Case, ids: readonly string[]): string[] {
  const blocks = findBlocks(edited);
  return ids.filter((id) => blocks.get(id)?.block.type === "Work");
}

function changeWork(name: string, change: (block: CaseBlock, random: Random) => boolean): [string, MakeEdit] {
  return [
    name,
    (edited, { random }) => {
      const found = someBlock(edited, random, isWork);
      if (found === undefined) return undefined;
      return change(found.block, random) ? changing(found.block.id) : undefined;
    },
  ];
}

function changeList(name: string, change: (list: unknown[], random: Random) => void): [string, MakeEdit] {
  return [
    name,
    (edited, { random }) => {
      const found = someBlock(edited, random, isLoop);
      if (found === undefined) return undefined;
      const { block } = found;
      const isList = Array.isArray(block.for_each);
      const list = isList ? [...(block.for_each as unknown[])] : Object.entries(block.for_each as object);
      change(list, random);
      block.for_each = isList ? list : Object.fromEntries(list.filter(Array.isArray) as [string, unknown][]);
      return { changed: [], touched: [block.id], gives: [], loop: block.id };
    },
  ];
}

const edits: readonly (readonly [string, MakeEdit])[] = [
  changeWork("another tag", ({ inputs = {} }, random) => {
    inputs.tag = `new ${random(1_000_000)}`;
    return true;
  }),
  changeWork("another ending", ({ inputs = {} }, random) => {
    const before = inputs.ends;
    inputs.ends = pick(random, ["success", "failure", "success"]);
    return before !== inputs.ends;
  }),
  changeWork("one read less", ({ inputs = {} }) => {
    const take = inputs.take as unknown[];
    return take.length > 0 && take.pop() !== undefined;
  }),
  changeWork("one read more", ({ inputs = {} }, random) => {
    const read = pick(random, ["${inputs.given}", "${inputs.chosen}", "${vars.first}", `literal ${random(9)}`]);
    (inputs.take as unknown[]).push(read);
    return true;
  }),
  changeWork("another retry", (block, random) => {
    block.retry = { attempts: 4 + random(50), delay: 0 };
    return true;
  }),
  changeWork("another time limit", (block, random) => {
    block.timeout = `${100 + random(1000)}m`;
    return true;
  }),
  changeWork("another expectation", (block, random) => {
    block.expect = { condition: `\${this.outputs.value} != 'v${random(1000)}'` };
    return true;
  }),
  changeWork("its failure may be allowed", (block) => {
    block.allow_failure = !(block.allow_failure ?? false);
    return true;
  }),
  changeWork("another rule for interruptions", (block) => {
    const before = block.on_interrupted;
    block.on_interrupted = "rerun";
    return before !== "rerun";
  }),
  changeWork("its own env", ({ inputs = {} }, random) => {
    inputs.env = { OWN: String(random(1_000_000)) };
    return true;
  }),
  [
    "layout alone",
    (edited, { random }) => {
      const found = someBlock(edited, random, () => true);
      if (found === undefined) return undefined;
      found.block.description = `described ${random(1000)}`;
      const { block } = found;
      if (block.inputs !== undefined) block.inputs = Object.fromEntries(Object.entries(block.inputs).reverse());
      return nothing;
    },
  ],
  [
    "another dependency",
    (edited, { random }) => {
      const found = someBlock(edited, random, ({ siblings }) => siblings.length > 1);
      if (found === undefined) return undefined;
      const { block, siblings } = found;
      const earlier = siblings.slice(0, siblings.indexOf(block)).map(({ id }) => id);
      if (earlier.length === 0) return undefined;
      const on = pick(random, earlier);
      const before = block.depends_on ?? [];
      const has = before.some((one) => one === on || (typeof one === "object" && one.block === on));
      block.depends_on = has
        ? before.filter((one) => one !== on && !(typeof one === "object" && one.block === on))
        : [...before, on];
      return { ...changing(block.id), changed: onlyLeaves(edited, [block.id]) };
    },
  ],
  [
    "another condition",
    (edited, { random }) => {
      const found = someBlock(edited, random, () => true);
      if (found === undefined) return undefined;
      const { block } = found;
      block.condition = pick(random, [`\${inputs.given} != 'x${random(1000)}'`, "${inputs.chosen} == 3", "1 == 1"]);
      return { ...changing(block.id), changed: onlyLeaves(edited, [block.id]) };
    },
  ],
  [
    "another output",
    (edited, { random }) => {
      const groups = [...findBlocks(edited).values()].filter(({ block }) => block.blocks !== undefined);
      const calls = [...findBlocks(edited).values()].filter(({ block }) => block.type === "ExecuteWorkflow");
      const all = [...groups, ...calls];
      if (all.length === 0) return undefined;
      const { block } = pick(random, all);
      const outputs = (
        block.blocks === undefined ? edited.library[String(block.inputs?.workflow)]?.outputs : block.outputs
      ) as Record<string, unknown> | undefined;
      if (outputs === undefined) return undefined;
      outputs.added = `added ${random(1000)}`;
      return { ...nothing, gives: [block.id] };
    },
  ],
  [
    "another output of the run",
    (edited, { random }) => {
      edited.root.outputs.added = pick(random, [`added ${random(9)}`, "${inputs.given}", "${vars.first}"]);
      return nothing;
    },
  ],
  [
    "another var",
    (edited, { random }) => {
      const workflow = pick(random, workflowsOf(edited));
      const before = workflow.vars.first;
      workflow.vars.first = pick(random, [`other ${random(1000)}`, "${inputs.chosen}", "${inputs.given}"]);
      if (before === workflow.vars.first) return undefined;
      const readers = readersOf(edited, workflow, (text) => varsIn(text).includes("first"));
      return { ...nothing, changed: onlyLeaves(edited, readers), touched: readers };
    },
  ],
  [
    "another name for a var",
    (edited, { random }) => {
      const workflow = pick(random, workflowsOf(edited));
      const { first, ...rest } = workflow.vars;
      if (first === undefined || rest.renamed !== undefined) return undefined;
      Object.assign(workflow, JSON.parse(JSON.stringify(workflow).replaceAll("vars.first", "vars.renamed")));
      workflow.vars = { ...rest, renamed: first, first: "nobody reads it" };
      return nothing;
    },
  ],
  [
    "another env",
    (edited, { random }) => {
      const workflow = pick(random, workflowsOf(edited));
      workflow.env = { ...workflow.env, LEVEL: `new ${random(1000)}` };
      const own = readersOf(edited, workflow, (text) => text.includes('"type":"Work"'));
      return changing(...own);
    },
  ],
  [
    "another default",
    (edited, { random }) => {
      const workflow = pick(random, workflowsOf(edited));
      const name = pick(random, ["given", "chosen"]);
      (workflow.inputs[name] as Record<string, unknown>).default = `default ${random(1000)}`;
      return { ...nothing, touched: inputReaders(edited, workflow, name) };
    },
  ],
  [
    "another given input",
    (edited, { random }) => {
      const name = pick(random, ["given", "chosen"]);
      edited.inputs = { ...edited.inputs, [name]: pick<Value>(random, [writeValue(random), `given ${random(1000)}`]) };
      return { ...nothing, touched: inputReaders(edited, edited.root, name) };
    },
  ],
  [
    "a renamed block",
    (edited, maker) => {
      const found = someBlock(edited, maker.random, () => true);
      if (found === undefined) return undefined;
      const { workflow, block } = found;
      const { id } = block;
      const renamed = nextId(maker);
      const text = JSON.stringify(workflow).replaceAll(new RegExp(`\\b${id}\\b`, "g"), renamed);
      Object.assign(workflow, JSON.parse(text));
      return { ...changing(renamed), changed: onlyLeaves(edited, [renamed]) };
    },
  ],
  [
    "a new block",
    (edited, maker) => {
      const found = someBlock(edited, maker.random, () => true);
      if (found === undefined) return undefined;
      const { siblings, isFinally } = found;
      const work = writeWork(maker, ["${inputs.given}"]);
      delete work.inputs?.asks;
      const added = { id: nextId(maker), ...work };
      siblings.splice(isFinally ? siblings.length : maker.random(siblings.length + 1), 0, added);
      return changing(added.id);
    },
  ],
  [
    "a block less",
    (edited, { random }) => {
      const found = someBlock(edited, random, ({ siblings }) => siblings.length > 1);
      if (found === undefined) return undefined;
      const { siblings, block, parent } = found;
      siblings.splice(siblings.indexOf(block), 1);
      // What held it may end in another way.
      return { ...nothing, gives: parent === undefined ? [] : [parent] };
    },
  ],
  [
    "another order of blocks",
    (edited, { random }) => {
      const found = someBlock(edited, random, ({ siblings }) => siblings.length > 1);
      if (found === undefined) return undefined;
      found.siblings.reverse();
      return nothing;
    },
  ],
  [
    "another rule for elements",
    (edited, { random }) => {
      const found = someBlock(edited, random, isLoop);
      if (found === undefined || JSON.stringify(found.block).includes("each.previous")) return undefined;
      found.block.for_each_mode = "sequential";
      found.block.max_parallel = 1 + random(4);
      return { ...nothing, touched: [found.block.id] };
    },
  ],
  changeList("an element more", (list, random) => {
    list.splice(random(list.length + 1), 0, Array.isArray(list[0]) ? [`n${random(1000)}`, random(3)] : random(3));
  }),
  changeList("an element less", (list, random) => {
    list.splice(random(Math.max(1, list.length)), 1);
  }),
  changeList("another order of elements", (list, random) => {
    list.sort(() => random(3) - 1);
  }),
  changeList("an element twice", (list, random) => {
    const [first] = list;
    if (!Array.isArray(first)) list.splice(random(list.length + 1), 0, first ?? "twice");
  }),
  [
    "other elements",
    (edited, { random }) => {
      const found = someBlock(edited, random, isLoop);
      if (found === undefined) return undefined;
      found.block.for_each = writeElements(random);
      return { ...nothing, touched: [found.block.id], loop: found.block.id };
    },
  ],
  [
    "more passes",
    (edited, { random }) => {
      const found = someBlock(edited, random, ({ block }) => block.repeat !== undefined);
      if (found === undefined) return undefined;
      found.block.repeat = { max: 1 + random(4), until: pick(random, ["${this.succeeded}", "${this.failed}"]) };
      return { ...nothing, touched: [found.block.id] };
    },
  ],
  [
    "another argument of a call",
    (edited, { random }) => {
      const found = someBlock(edited, random, ({ block }) => block.type === "ExecuteWorkflow");
      if (found === undefined) return undefined;
      (found.block.inputs as { inputs: Record<string, unknown> }).inputs.chosen = `handed over ${random(1000)}`;
      return { ...nothing, touched: [found.block.id] };
    },
  ],
  [
    "another retry of what holds blocks",
    (edited, { random }) => {
      const found = someBlock(edited, random, holdsBlocks);
      if (found === undefined) return undefined;
      found.block.retry = { attempts: 2 + random(2), delay: 0 };
      return { ...nothing, touched: [found.block.id] };
    },
  ],
  [
    "runs in every rerun, or not",
    (edited, { random }) => {
      const found = someBlock(edited, random, () => true);
      if (found === undefined) return undefined;
      found.block.reuse = !(found.block.reuse ?? true);
      return { ...nothing, touched: [found.block.id] };
    },
  ],
];

/** A case that is edited by chance; the one before stays as it is. `about` is a part of what the edit is called. */
export function editCase(
  before: Case,
  maker: Maker,
  about: string,
): { readonly edited: Case; readonly edit: Edit } | undefined {
  const edited = structuredClone(before);
  const [name, make] = pick(
    maker.random,
    edits.filter(([called]) => called.includes(about)),
  );
  const edit = make(edited, maker);
  return edit === undefined ? undefined : { edited, edit: { name, ...edit } };
}
