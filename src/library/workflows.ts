import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Catalog } from "../block/catalog.ts";
import { createLoader, type WorkflowLoader } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Diagnostic, hasErrors, locate, sortDiagnostics } from "../diagnostic/diagnostic.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Source } from "../diagnostic/source.ts";
import { defaultLimits } from "../engine/limits.ts";
import { childName } from "../plan/block-shape.ts";
import { NodeCounter, tooManyNodes } from "../plan/count-nodes.ts";
import type { Plan } from "../plan/plan.ts";
import { planInSlices } from "../plan/plan-workflow.ts";
import { pathBelow } from "../util/path-below.ts";
import { atOnce } from "../util/time-slice.ts";
import { describeUntrusted, mentionOverridden, mentionUnused } from "./describe-trust.ts";
import { findForbidden, noRules, unsafeForbidden, type WorkflowRules } from "./engine-rules.ts";
import { Library, type LibraryDirectory, type LibraryEntry, type Standing } from "./library.ts";
import { judgeProject, projectDirectory, projectOf, surveyProject } from "./project-trust.ts";
import type { WorkflowFiles } from "./workflow-files.ts";

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
  /** How texts are loaded, for those who load the same ones again and again. */
  readonly loader?: WorkflowLoader;
}

/** Finds, loads and checks workflows, by name or by file. */
export class Workflows {
  readonly catalog: Catalog;
  readonly library: Library;
  /** What counts against a workflow beside what is wrong with it. */
  readonly rules: WorkflowRules;
  readonly #platform: WorkflowFiles;
  readonly #directories: readonly LibraryDirectory[];
  readonly #maxNodes: number;
  readonly #loader: WorkflowLoader;
  readonly #nodes = new NodeCounter();
  readonly #called = new Map<string, CalledWorkflow>();

  constructor(
    catalog: Catalog,
    directories: readonly LibraryDirectory[],
    platform: WorkflowFiles,
    { rules = noRules, maxNodes = defaultLimits.nodes, loader = createLoader(catalog) }: WorkflowsOptions = {},
  ) {
    this.#maxNodes = maxNodes;
    this.#loader = loader;
    this.catalog = catalog;
    this.rules = rules;
    this.#platform = platform;
    this.#directories = directories;
    const files = { list: platform.listWorkflowFiles, read: (file: string) => this.readSource(file) };
    this.library = new Library(directories, files, loader);
  }

  /** A workflow named on the command line: a file if it looks like one, else a name of the library. */
  findTarget(target: string): CheckedWorkflow {
    const looksLikeFile = target.includes("/") || /\.ya?ml$/.test(target);
    if (looksLikeFile) return this.checkFile(target);
    const found = this.findByName(target);
    const beside = found.definition === undefined ? this.#fileBeside(target) : undefined;
    if (beside === undefined) return found;
    const advice = { kind: "run-file", file: beside } as const;
    return { diagnostics: found.diagnostics.map(({ fix: _, ...diagnostic }) => ({ ...diagnostic, advice })) };
  }

  #fileBeside(name: string): string | undefined {
    return [`${name}.yaml`, `${name}.yml`].find((file) => "text" in this.#platform.readWorkflowText(file));
  }

  findByName(name: string): CheckedWorkflow {
    return atOnce(this.findInSlices(name));
  }

  /** The same as work that can be interrupted. */
  *findInSlices(name: string): Generator<void, CheckedWorkflow> {
    const entry = this.library.find(name);
    if (entry === undefined) return { diagnostics: [this.#unknownWorkflow(name)] };
    const checked = yield* this.#checkEntry(entry);
    const unused = this.#untrustedNamed(name);
    return unused === undefined ? checked : withMore(checked, mentionUnused(entry, unused));
  }

  checkFile(file: string): CheckedWorkflow {
    const source = this.readSource(file);
    if (!("text" in source)) return { diagnostics: [source] };
    const checked = this.checkText(source);
    const entry = this.entryOf(file);
    return entry === undefined ? checked : withMore(checked, mentionOverridden(entry));
  }

  /** What the library has of a file, if it is one of its own. */
  entryOf(file: string): LibraryEntry | undefined {
    const path = resolve(file);
    if (!this.#directories.some((directory) => pathBelow(directory.path, path) !== undefined)) return undefined;
    return this.library.entries().find((entry) => entry.file === path);
  }

  /** How a file stands to what a person has looked at; only those in a `.frond` directory are asked about. */
  standingOf(file: string, text: string): Standing {
    const path = this.#realPath(file);
    if (
      this.#directories.some(
        (directory) => directory.judge === undefined && pathBelow(directory.path, path) !== undefined,
      )
    ) {
      return "trusted";
    }
    const project = projectOf(path);
    return project === undefined ? "trusted" : judgeProject(project, this.#platform)(path, text);
  }

  /** Why a file may not be used, with what is on record of its project. */
  explainUntrusted(what: string, file: string, standing: Standing): Diagnostic {
    const path = this.#realPath(file);
    const project = projectOf(path) ?? dirname(path);
    return describeUntrusted(what, file, standing, surveyProject(project, this.#platform));
  }

  #realPath(file: string): string {
    const directory = this.#platform.realDirectory(dirname(file));
    return directory.ok ? join(directory.value, basename(file)) : resolve(file);
  }

  checkText(source: Source): CheckedWorkflow {
    return atOnce(this.checkInSlices(source));
  }

  /** The same as work that can be interrupted. */
  *checkInSlices(source: Source): Generator<void, CheckedWorkflow> {
    const loaded = this.#loader.load(source);
    return yield* this.#plan(loaded.definition, loaded.diagnostics, new Set());
  }

  checkEntry(entry: LibraryEntry): CheckedWorkflow {
    return atOnce(this.#checkEntry(entry));
  }

  *#checkEntry(entry: LibraryEntry): Generator<void, CheckedWorkflow> {
    const loaded = entry.load();
    return withMore(yield* this.#plan(loaded.definition, loaded.diagnostics, new Set()), mentionOverridden(entry));
  }

  /** A workflow of the library that can be called: known, trusted and sound, down to what it calls itself. */
  callable(name: string): WorkflowDefinition | undefined {
    return atOnce(this.#checkCalled(name, new Set()));
  }

  /** `callers` are being looked at: they count as sound meanwhile, so that a circle of calls comes to an end. */
  *#checkCalled(name: string, callers: ReadonlySet<string>): Generator<void, WorkflowDefinition | undefined> {
    const checked = this.#called.get(name);
    if (checked !== undefined) return checked.definition;
    const entry = this.library.find(name);
    if (entry === undefined) return undefined;
    yield;
    const { definition, diagnostics } = entry.load();
    if (callers.has(name)) return definition;
    const planned: CheckedWorkflow =
      definition === undefined ? { diagnostics: [] } : yield* this.#plan(definition, [], new Set(callers).add(name));
    const problems = [...diagnostics, ...planned.diagnostics];
    const sound = !hasErrors(problems);
    this.#called.set(name, { definition: sound ? definition : undefined, plan: planned.plan, problems });
    return sound ? definition : undefined;
  }

  /** The plan of a workflow that can be called. */
  planOf(name: string): Plan | undefined {
    return this.callable(name) === undefined ? undefined : this.#called.get(name)?.plan;
  }

  readSource(file: string): Source | Diagnostic {
    const read = this.#platform.readWorkflowText(file);
    if ("text" in read) return { name: file, text: read.text };
    switch (read.problem) {
      case "missing":
        return {
          code: "no-such-file",
          level: "error",
          message: `There is no file '${file}'.`,
          fix: "Check the path.",
          advice: { kind: "list-workflows" },
        };
      case "directory":
        return {
          code: "not-a-file",
          level: "error",
          message: `'${file}' is a directory.`,
          fix: "Give the path of a workflow file.",
        };
      case "too-large":
        return {
          code: "limit-exceeded",
          level: "error",
          message: `'${file}' is too large (${read.detail}).`,
          why: "A workflow file has a limit of 2 MB.",
          fix: "Split it into several workflows and call them with ExecuteWorkflow.",
        };
      case "unreadable":
        return { code: "unreadable-file", level: "error", message: `'${file}' can't be read: ${read.detail}.` };
    }
  }

  *#plan(
    definition: WorkflowDefinition | undefined,
    loadDiagnostics: readonly Diagnostic[],
    callers: ReadonlySet<string>,
  ): Generator<void, CheckedWorkflow> {
    if (definition === undefined) return { diagnostics: sortDiagnostics(loadDiagnostics) };
    // First, so that nothing that is looked up below takes long.
    for (const block of definition.blocks) {
      const name = childName(block);
      if (name !== undefined && name !== definition.name) yield* this.#checkCalled(name, callers);
    }
    const find = (name: string): WorkflowDefinition | undefined =>
      name === definition.name ? definition : atOnce(this.#checkCalled(name, callers));
    const planned = yield* planInSlices(definition, find, (missing) => this.#explainMissing(missing));
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
  #explainMissing(name: string): Omit<Diagnostic, "range"> {
    const broken = this.#called.get(name)?.problems.find(({ level }) => level === "error");
    if (broken !== undefined) {
      const message = `The workflow '${name}' can't be run: ${broken.message}`;
      if (broken.code === tooManyNodes) return withoutRange(broken);
      if (broken.code === unsafeForbidden) return { ...withoutRange(broken), message: withPlace(message, broken) };
      const advice = { kind: "check-workflow", workflow: name } as const;
      return { code: "broken-workflow", level: "error", message, advice };
    }
    const problem = this.#unknownWorkflow(name);
    if (problem.code === "untrusted-workflow") return problem;
    const message = `No workflow is named '${name}'; the block fails if it is still missing when it runs.`;
    return { ...problem, level: "warning", message };
  }

  #untrustedNamed(name: string): LibraryEntry | undefined {
    return this.library.entries().find((entry) => entry.name === name && !entry.trusted);
  }

  #callableNames(): string[] {
    return this.library.entries().flatMap((entry) => (entry.trusted ? [entry.name] : []));
  }

  #unknownWorkflow(name: string): Diagnostic {
    const untrusted = this.#untrustedNamed(name);
    if (untrusted !== undefined) {
      return this.explainUntrusted(`The workflow '${name}'`, untrusted.file, untrusted.standing);
    }
    return {
      code: "unknown-workflow",
      level: "error",
      message: `No workflow is named '${name}'.`,
      fix: suggestName(name, this.#callableNames(), "workflow"),
    };
  }
}

function withMore(checked: CheckedWorkflow, more: Diagnostic | undefined): CheckedWorkflow {
  return more === undefined ? checked : { ...checked, diagnostics: [...checked.diagnostics, more] };
}

function withoutRange({ range: _, ...rest }: Diagnostic): Omit<Diagnostic, "range"> {
  return rest;
}

/** For a problem that is shown at another place than its own. */
function withPlace(message: string, { range }: Diagnostic): string {
  const { file, line } = locate(range);
  return file === undefined ? message : `${message} (${file}, line ${line})`;
}

export interface LibraryPlaces {
  readonly builtIn: string;
  readonly home: string;
  readonly workspace: string;
  /** WORKFLOWS_TEMPLATE_PATHS: directories separated by commas. */
  readonly templatePaths: string;
}

/** Where workflows come from, in the order in which a later place wins. */
export function libraryDirectories(places: LibraryPlaces, platform: WorkflowFiles): LibraryDirectory[] {
  const named = places.templatePaths
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => namedDirectory(path, places.home));
  const [own, ofProject] = [places.home, places.workspace].map((root) => join(root, projectDirectory)) as [
    string,
    string,
  ];
  const judge = judgeProject(places.workspace, platform);
  return [
    { path: places.builtIn, source: "built-in", expected: false },
    { path: own, source: "user", expected: false },
    ...named,
    // Whoever works in their home directory has no other project there.
    ...(own === ofProject ? [] : [{ path: ofProject, source: "project", judge, expected: false } as const]),
  ];
}

/** A relative path would mean whatever lies in the directory Frond is started in, which nobody has vouched for. */
function namedDirectory(path: string, home: string): LibraryDirectory {
  const named = { path, source: "template-path", expected: true } as const;
  if (path === "~" || path.startsWith("~/")) return { ...named, path: join(home, path.slice(1)) };
  if (isAbsolute(path)) return named;
  const rule = "must be an absolute path or start with ~";
  return { ...named, problem: `The workflow directory ${path} is ignored: it ${rule} (WORKFLOWS_TEMPLATE_PATHS).` };
}
