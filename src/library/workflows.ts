import { basename, dirname, join, normalize, resolve, sep } from "node:path";
import type { Catalog } from "../block/catalog.ts";
import { allBlocks } from "../definition/all-blocks.ts";
import { createLoader, type Loaded, type WorkflowLoader } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { fileOfKey, isSameFile, nameOfKey } from "../definition/workflow-path.ts";
import { type Diagnostic, hasErrors, locate, sortDiagnostics } from "../diagnostic/diagnostic.ts";
import { didYouMean } from "../diagnostic/did-you-mean.ts";
import type { Reach, Source } from "../diagnostic/source.ts";
import { defaultLimits } from "../engine/limits.ts";
import { childKey } from "../plan/block-shape.ts";
import { callCycle, type ExplainMissing } from "../plan/check-calls.ts";
import { NodeCounter, tooManyNodes } from "../plan/count-nodes.ts";
import type { Plan } from "../plan/plan.ts";
import { planInSlices } from "../plan/plan-workflow.ts";
import { defined } from "../util/defined.ts";
import { pathBelow } from "../util/path-below.ts";
import { atOnce } from "../util/time-slice.ts";
import { describeUntrusted, mentionOverridden, mentionUnused, refuseUnjudged } from "./describe-trust.ts";
import { findForbidden, noRules, unsafeForbidden, type WorkflowRules } from "./engine-rules.ts";
import { explainUnreadable } from "./explain-unreadable.ts";
import { Library, type LibraryDirectory, type LibraryEntry, type Standing } from "./library.ts";
import type { PlanMemory } from "./plan-memory.ts";
import { judgeProject, projectOf, surveyProject } from "./project-trust.ts";
import { readChild } from "./read-child.ts";
import type { HeadStore, WorkflowFiles } from "./workflow-files.ts";

/** A workflow with everything that is known against it. */
export interface CheckedWorkflow {
  readonly definition?: WorkflowDefinition;
  /** Absent when there are errors. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

interface CalledWorkflow {
  /** Absent when it can't be called. */
  readonly definition: WorkflowDefinition | undefined;
  readonly plan?: Plan | undefined;
  readonly problems: readonly Diagnostic[];
}

export interface WorkflowsOptions {
  readonly rules?: WorkflowRules | undefined;
  readonly maxNodes?: number;
  /** For those who load, plan and list the same texts again and again. */
  readonly loader?: WorkflowLoader;
  readonly plans?: PlanMemory;
  readonly heads?: HeadStore;
}

/** Finds, loads and checks workflows, by name or by file. */
export class Workflows {
  readonly catalog: Catalog;
  readonly library: Library;
  /** What counts against a workflow beside what is wrong with it. */
  readonly rules: WorkflowRules;
  readonly platform: WorkflowFiles;
  readonly #directories: readonly LibraryDirectory[];
  readonly #maxNodes: number;
  readonly #loader: WorkflowLoader;
  readonly #plans: PlanMemory | undefined;
  readonly #nodes = new NodeCounter();
  readonly #called = new Map<string, CalledWorkflow>();
  readonly #children = new Map<string, Loaded>();

  constructor(
    catalog: Catalog,
    directories: readonly LibraryDirectory[],
    platform: WorkflowFiles,
    { rules = noRules, maxNodes = defaultLimits.nodes, ...kept }: WorkflowsOptions = {},
  ) {
    this.#plans = kept.plans;
    this.#maxNodes = maxNodes;
    this.#loader = kept.loader ?? createLoader(catalog);
    this.catalog = catalog;
    this.rules = rules;
    this.platform = platform;
    this.#directories = directories;
    const files = { list: platform.listWorkflowFiles, read: (file: string) => this.readSource(file, file) };
    this.library = new Library(directories, files, this.#loader, kept.heads);
  }

  /** A workflow named on the command line: a file if it looks like one, else a name of the library. */
  findTarget(target: string): CheckedWorkflow {
    if (looksLikeFile(target)) return this.checkFile(target);
    const found = this.findByName(target);
    if (found.definition !== undefined) return found;
    const beside = this.#fileBeside(target);
    if (beside === undefined) return this.platform.realDirectory(target).ok ? this.checkFile(target) : found;
    const advice = { kind: "run-file", file: beside } as const;
    return { diagnostics: found.diagnostics.map(({ fix: _, ...diagnostic }) => ({ ...diagnostic, advice })) };
  }

  #fileBeside(name: string): string | undefined {
    return [`${name}.yaml`, `${name}.yml`].find((file) => "text" in this.platform.readWorkflowText(file));
  }

  findByName(name: string): CheckedWorkflow {
    return atOnce(this.findInSlices(name));
  }

  /** The same as work that can be interrupted. */
  *findInSlices(name: string): Generator<void, CheckedWorkflow> {
    const entry = this.library.find(name);
    if (entry === undefined) return { diagnostics: [markAskedFor(this.#unknownWorkflow(name))] };
    const checked = yield* this.checkEntryInSlices(entry);
    const unused = this.#untrustedNamed(name);
    return unused === undefined ? checked : withMore(checked, mentionUnused(entry, unused));
  }

  checkFile(file: string): CheckedWorkflow {
    const source = this.readSource(file);
    if (!("text" in source)) return { diagnostics: [source] };
    const entry = this.entryOf(file);
    const checked = this.checkText({ ...source, reach: this.reachOf(file, true) });
    return entry === undefined ? checked : withMore(checked, mentionOverridden(entry));
  }

  /** What a file can name by a path: what is in its library; else what lies beside and below it. */
  reachOf(file: string, isGiven: boolean): Reach {
    const path = resolve(file);
    const base = dirname(path);
    const library = this.#directories.find((directory) => pathBelow(directory.path, path) !== undefined);
    if (library !== undefined && this.entryOf(file)?.trusted) return { base, root: library.path };
    return isGiven || projectOf(path) === undefined ? { base, root: base, isGiven: true } : { base, root: base };
  }

  /** The same for a text that is no file: the workflows of the project that somebody has looked at. */
  inlineReach(): Reach | undefined {
    const own = this.#directories.findLast(({ source }) => source === "project" || source === "user");
    return own === undefined ? undefined : { base: dirname(dirname(own.path)), root: dirname(own.path) };
  }

  /** What the library has of a file, if it is one of its own. */
  entryOf(file: string): LibraryEntry | undefined {
    const path = resolve(file);
    if (!this.#directories.some((directory) => pathBelow(directory.path, path) !== undefined)) return undefined;
    return this.library.entries().find((entry) => entry.file === path);
  }

  /** How a file stands to what a person has looked at; where the rules do not say otherwise, only those in a `.frond` are asked about. */
  standingOf(file: string, text: string): Standing {
    const path = this.#realPath(file);
    const around = this.#directories.filter((directory) => pathBelow(directory.path, path) !== undefined);
    if (around.some(({ judge }) => judge === undefined)) return "trusted";
    const judge = around[0]?.judge;
    if (judge !== undefined) return judge(path, text);
    const project = projectOf(path);
    if (project !== undefined) return judgeProject(project, this.platform)(path, text);
    // Where nobody may bring commands, a file that anybody can write is no better than a text.
    return this.rules.takingCommands === undefined ? "trusted" : "untrusted";
  }

  /** Why a file may not be used, with what is on record of its project. */
  explainUntrusted(what: string, file: string, standing: Standing): Diagnostic {
    const path = this.#realPath(file);
    const project = projectOf(path);
    return project === undefined
      ? refuseUnjudged(what)
      : describeUntrusted(what, file, standing, surveyProject(project, this.platform));
  }

  #realPath(file: string): string {
    const directory = this.platform.realDirectory(dirname(file));
    return directory.ok ? join(directory.value, basename(file)) : resolve(file);
  }

  checkText(source: Source): CheckedWorkflow {
    return atOnce(this.checkInSlices(source));
  }

  /** The same as work that can be interrupted. */
  *checkInSlices(source: Source): Generator<void, CheckedWorkflow> {
    const loaded = this.#loader.load(source);
    return yield* this.#plan(loaded.definition, loaded.diagnostics, new Set(), this.rootKey(source, loaded.definition));
  }

  checkEntry(entry: LibraryEntry): CheckedWorkflow {
    return atOnce(this.checkEntryInSlices(entry));
  }

  /** The same as work that can be interrupted. */
  *checkEntryInSlices(entry: LibraryEntry): Generator<void, CheckedWorkflow> {
    const loaded = entry.load();
    const checked = yield* this.#plan(loaded.definition, loaded.diagnostics, new Set(), entry.name);
    return withMore(checked, mentionOverridden(entry));
  }

  /** What a workflow that is run as such is known as: a name means another one to those it calls, if the library has another. */
  rootKey(source: Source, definition: WorkflowDefinition | undefined): string {
    const name = definition?.name ?? "";
    const entry = this.library.find(name);
    return entry === undefined || isSameFile({ name: entry.file, text: "" }, source) ? name : `root:${name}`;
  }

  /** A workflow that can be called, by its key: known, trusted and sound, down to what it calls itself. */
  callable(key: string): WorkflowDefinition | undefined {
    return atOnce(this.#checkCalled(key, new Set()));
  }

  /** `callers` are being looked at: they count as sound meanwhile, so that a circle of calls comes to an end. */
  *#checkCalled(key: string, callers: ReadonlySet<string>): Generator<void, WorkflowDefinition | undefined> {
    const checked = this.#called.get(key);
    if (checked !== undefined) return checked.definition;
    const loaded = this.#loadCalled(key);
    if (loaded === undefined) return undefined;
    yield;
    const { definition, diagnostics } = loaded;
    if (callers.has(key)) return definition;
    const planned: CheckedWorkflow =
      definition === undefined
        ? { diagnostics: [] }
        : yield* this.#plan(definition, [], new Set(callers).add(key), key);
    const problems = [...diagnostics, ...planned.diagnostics];
    const sound = !hasErrors(problems);
    this.#called.set(key, { definition: sound ? definition : undefined, plan: planned.plan, problems });
    return sound ? definition : undefined;
  }

  #loadCalled(key: string): Loaded | undefined {
    const file = fileOfKey(key);
    if (file === undefined) return this.library.find(key)?.load();
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    const source = readChild(file, this);
    const loaded = source.ok ? this.#loader.load(source.value) : { diagnostics: [source.error] };
    this.#children.set(key, loaded);
    return loaded;
  }

  /** The plan of a workflow that can be called. */
  planOf(key: string): Plan | undefined {
    return this.callable(key) === undefined ? undefined : this.#called.get(key)?.plan;
  }

  readSource(file: string, path: string = resolve(file)): Source | Diagnostic {
    const read = this.platform.readWorkflowText(file);
    if ("text" in read) return { name: file, text: read.text, file: path };
    return explainUnreadable(file, read, this.#fileLike(file));
  }

  /** The file that a path was most likely meant for: the other ending, or one that was left out. */
  #fileLike(path: string): string | undefined {
    const stem = path.replace(/\.ya?ml$/, "");
    return stem.endsWith("/") ? undefined : this.#fileBeside(stem);
  }

  *#plan(
    definition: WorkflowDefinition | undefined,
    loadDiagnostics: readonly Diagnostic[],
    callers: ReadonlySet<string>,
    own: string,
  ): Generator<void, CheckedWorkflow> {
    if (definition === undefined) return { diagnostics: sortDiagnostics(loadDiagnostics) };
    // First, so that nothing that is looked up below takes long.
    for (const block of allBlocks(definition)) {
      const key = childKey(block);
      if (key !== undefined && key !== own) yield* this.#checkCalled(key, callers);
    }
    const find = (key: string): WorkflowDefinition | undefined =>
      key === own ? definition : atOnce(this.#checkCalled(key, callers));
    const explain: ExplainMissing = (missing) => this.explainMissing(missing, definition.source);
    const planned = yield* this.#plans?.plan(definition, find, explain) ?? planInSlices(definition, find, explain);
    const tooLarge = yield* this.#nodes.check(definition, find, this.#maxNodes);
    const diagnostics = sortDiagnostics([
      ...loadDiagnostics,
      ...planned.diagnostics,
      ...findForbidden(definition, this.rules),
      ...tooLarge,
    ]);
    const sound = planned.plan !== undefined && !hasErrors(diagnostics);
    return { definition, ...(sound ? { plan: planned.plan } : {}), diagnostics };
  }

  /** What is not there may come before it is needed; what is broken or nobody vouched for can't be run. */
  explainMissing(key: string, caller?: Source): Omit<Diagnostic, "range"> {
    const name = nameOfKey(key);
    const broken = this.#called.get(key)?.problems.find(({ level }) => level === "error");
    if (broken !== undefined) {
      if (broken.code === tooManyNodes || broken.code === callCycle) return withoutRange(broken);
      if (broken.code === brokenWorkflow) return this.#explainDeeper(name, broken);
      const message = `The workflow '${name}' can't be run: ${broken.message}`;
      if (broken.code === unsafeForbidden) return { ...withoutRange(broken), message: withPlace(message, broken) };
      if (fileOfKey(key) === undefined) {
        // Whoever asks for the one that calls it can say yes to it at once.
        const trust = broken.advice?.kind === "trust-project" ? broken.advice : undefined;
        const advice = trust ?? ({ kind: "check-workflow", workflow: name } as const);
        return { code: brokenWorkflow, level: "error", message, advice };
      }
      // What is wrong with the file itself is all there is to say.
      if (broken.range === undefined) return broken;
      const { fix, advice } = broken;
      return {
        code: brokenWorkflow,
        level: "error",
        message: withPlace(message, broken),
        ...defined({ fix, advice }),
      };
    }
    const problem = this.#unknownWorkflow(name);
    if (problem.code === "untrusted-workflow" || looksLikeFile(name)) return problem;
    const message = `No workflow is named '${name}'; the block fails if it is still missing when it runs.`;
    const warning = { ...problem, level: "warning", message } as const;
    const beside = caller?.reach === undefined ? undefined : this.#fileBeside(join(caller.reach.base, name));
    if (beside === undefined) return warning;
    const { advice: _, ...rest } = warning;
    return { ...rest, fix: `There is a file of that name: to call it write './${basename(beside)}'.` };
  }

  /** One sentence, however deep what is broken lies: which one it is, and what is wrong with it. */
  #explainDeeper(name: string, broken: Diagnostic): Omit<Diagnostic, "range"> {
    if (broken.advice?.kind !== "check-workflow") return withoutRange(broken);
    const culprit = broken.advice.workflow;
    const cause = this.#called.get(culprit)?.problems.find(({ level }) => level === "error");
    const message = `The workflow '${name}' can't be run, because it calls '${culprit}': ${cause?.message ?? broken.message}`;
    return { ...withoutRange(broken), message };
  }

  #untrustedNamed(name: string): LibraryEntry | undefined {
    return this.library.entries().find((entry) => entry.name === name && !entry.trusted);
  }

  #callableNames(): string[] {
    return this.library.entries().flatMap((entry) => (entry.trusted ? [entry.name] : []));
  }

  #unknownWorkflow(name: string): Diagnostic {
    const message = `No workflow is named '${name}'.`;
    const unknown = { code: unknownWorkflow, level: "error", message } as const;
    const known = (looksLikeFile(name) ? this.explainFile(name) : undefined) ?? this.#explainNamed(name);
    if (known !== undefined) return known;
    const why = this.library.warnings().join(" ");
    const path = looksLikeFile(name) ? adviseOnPath(name) : undefined;
    return {
      ...unknown,
      ...(why === "" ? {} : { why }),
      ...defined({ fix: path ?? didYouMean(name, this.#callableNames()) }),
      advice: { kind: "list-workflows" },
    };
  }

  /** What to do about the file of a workflow that has a name, if it is one. */
  explainFile(path: string): Diagnostic | undefined {
    const meant = this.#entryMeant(path);
    if (meant === undefined) return undefined;
    if (!meant.trusted) return this.#explainEntry(meant);
    const message = `No workflow is named '${path}'.`;
    return { code: unknownWorkflow, level: "error", message, fix: `Its name is '${meant.name}'.` };
  }

  #explainNamed(name: string): Diagnostic | undefined {
    const untrusted = this.#untrustedNamed(name);
    return untrusted === undefined ? undefined : this.#explainEntry(untrusted);
  }

  #explainEntry({ name, file, standing }: LibraryEntry): Diagnostic {
    return this.explainUntrusted(`The workflow '${name}'`, file, standing);
  }

  /** The workflow of a file whose path stands where a name is wanted. */
  #entryMeant(path: string): LibraryEntry | undefined {
    const below = `${sep}${normalize(path)}`;
    const entries = this.library.entries().filter(({ file }) => file === path || file.endsWith(below));
    return entries.find(({ trusted }) => trusted) ?? entries[0];
  }
}

/** Whether something that may be a name or a path is a path. */
export function looksLikeFile(target: string): boolean {
  return target.includes("/") || /\.ya?ml$/.test(target);
}

const brokenWorkflow = "broken-workflow";
const unknownWorkflow = "unknown-workflow";

function adviseOnPath(name: string): string {
  const general = "A workflow is called by the `name:` in its file, or from another file by a path that begins with ./";
  return /^[\w-][^:]*\.ya?ml$/.test(name) ? `${general}, here './${name}'.` : `${general}.`;
}

function markAskedFor(unknown: Diagnostic): Diagnostic {
  const { advice } = unknown;
  return advice?.kind === "trust-project" ? { ...unknown, advice: { ...advice, isAskedFor: true } } : unknown;
}

function withMore(checked: CheckedWorkflow, more: Diagnostic | undefined): CheckedWorkflow {
  return more === undefined ? checked : { ...checked, diagnostics: [...checked.diagnostics, more] };
}

/** For a problem of another file: where it stands there means nothing here. */
function withoutRange({ range: _, block: __, ...rest }: Diagnostic): Omit<Diagnostic, "range"> {
  return rest;
}

/** For a problem that is shown at another place than its own. */
function withPlace(message: string, { range }: Diagnostic): string {
  const { file, line } = locate(range);
  return file === undefined ? message : `${message} (${file}, line ${line})`;
}
