import { isAbsolute, join } from "node:path";
import type { Catalog } from "../block/catalog.ts";
import { Library, type LibraryDirectory, type LibraryEntry, mostFiles } from "../definition/library.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Diagnostic, hasErrors, sortDiagnostics, toData } from "../diagnostic/diagnostic.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Source } from "../diagnostic/source.ts";
import type { Plan } from "../plan/plan.ts";
import { planWorkflow } from "../plan/plan-workflow.ts";
import { type EngineRules, findForbidden, unsafeForbidden } from "./forbid-unsafe.ts";
import type { Outside } from "./outside.ts";

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
  readonly problems: readonly Diagnostic[];
}

/** Finds, loads and checks workflows, by name or by file. */
export class Workflows {
  readonly catalog: Catalog;
  readonly library: Library;
  /** What counts against a workflow beside what is wrong with it. */
  readonly rules: EngineRules;
  readonly #outside: Outside;
  readonly #called = new Map<string, CalledWorkflow>();

  constructor(
    catalog: Catalog,
    directories: readonly LibraryDirectory[],
    outside: Outside,
    rules: EngineRules = { forbidsUnsafe: false },
  ) {
    this.catalog = catalog;
    this.rules = rules;
    this.#outside = outside;
    const files = { list: outside.listWorkflowFiles, read: (file: string) => this.readSource(file) };
    this.library = new Library(directories, files, catalog);
  }

  /** A workflow named on the command line: a file if it looks like one, else a name of the library. */
  findTarget(target: string): CheckedWorkflow {
    const looksLikeFile = target.includes("/") || /\.ya?ml$/.test(target);
    if (looksLikeFile) return this.checkFile(target);
    const found = this.findByName(target);
    const beside = found.definition === undefined ? this.#fileBeside(target) : undefined;
    if (beside === undefined) return found;
    const fix = `There is a file of that name: \`frond run ${beside}\`.`;
    return { diagnostics: found.diagnostics.map((diagnostic) => ({ ...diagnostic, fix })) };
  }

  #fileBeside(name: string): string | undefined {
    return [`${name}.yaml`, `${name}.yml`].find((file) => "text" in this.#outside.readWorkflowText(file));
  }

  findByName(name: string): CheckedWorkflow {
    const entry = this.library.find(name);
    return entry === undefined ? { diagnostics: [this.#unknownWorkflow(name)] } : this.checkEntry(entry);
  }

  checkFile(file: string): CheckedWorkflow {
    const source = this.readSource(file);
    return "text" in source ? this.checkText(source) : { diagnostics: [source] };
  }

  checkText(source: Source): CheckedWorkflow {
    const loaded = loadWorkflow(source, this.catalog);
    return this.#plan(loaded.definition, loaded.diagnostics);
  }

  checkEntry(entry: LibraryEntry): CheckedWorkflow {
    const loaded = entry.load();
    return this.#plan(loaded.definition, loaded.diagnostics);
  }

  /** A workflow of the library that can be called: known, trusted and sound, down to what it calls itself. */
  callable(name: string): WorkflowDefinition | undefined {
    const checked = this.#called.get(name);
    if (checked !== undefined) return checked.definition;
    const entry = this.library.find(name);
    if (entry === undefined) return undefined;
    const { definition, diagnostics } = entry.load();
    // While its own calls are looked at it counts as sound, so that a circle of calls comes to an end.
    this.#called.set(name, { definition, problems: [] });
    const problems = [...diagnostics, ...(definition === undefined ? [] : this.#plan(definition, []).diagnostics)];
    const sound = !hasErrors(problems);
    this.#called.set(name, { definition: sound ? definition : undefined, problems });
    return sound ? definition : undefined;
  }

  readSource(file: string): Source | Diagnostic {
    const read = this.#outside.readWorkflowText(file);
    if ("text" in read) return { name: file, text: read.text };
    switch (read.problem) {
      case "missing":
        return {
          code: "no-such-file",
          level: "error",
          message: `There is no file '${file}'.`,
          fix: "Check the path; `frond list` shows workflows that can be called by name.",
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

  #plan(definition: WorkflowDefinition | undefined, loadDiagnostics: readonly Diagnostic[]): CheckedWorkflow {
    if (definition === undefined) return { diagnostics: sortDiagnostics(loadDiagnostics) };
    const planned = planWorkflow(
      definition,
      (name) => (name === definition.name ? definition : this.callable(name)),
      (missing) => this.#explainMissing(missing),
    );
    const diagnostics = sortDiagnostics([
      ...loadDiagnostics,
      ...planned.diagnostics,
      ...findForbidden(definition, this.rules),
    ]);
    const sound = planned.plan !== undefined && !hasErrors(diagnostics);
    return { definition, ...(sound ? { plan: planned.plan } : {}), diagnostics };
  }

  /** What is not there may come before it is needed; what is broken or nobody vouched for can't be run. */
  #explainMissing(name: string): Omit<Diagnostic, "range"> {
    const broken = this.#called.get(name)?.problems.find(({ level }) => level === "error");
    if (broken !== undefined) {
      const message = `The workflow '${name}' can't be run: ${broken.message}`;
      if (broken.code === unsafeForbidden) return { ...withoutRange(broken), message: locate(message, broken) };
      return { code: "broken-workflow", level: "error", message, fix: `See \`frond validate ${name}\`.` };
    }
    const problem = this.#unknownWorkflow(name);
    if (problem.code === "untrusted-workflow") return problem;
    const message = `There is no workflow '${name}'; the block fails if it is still missing when it runs.`;
    return { ...problem, level: "warning", message };
  }

  #callableNames(): string[] {
    return this.library.entries().flatMap((entry) => (entry.trusted ? [entry.name] : []));
  }

  #unknownWorkflow(name: string): Diagnostic {
    const entries = this.library.entries();
    const untrusted = entries.find((entry) => entry.name === name && !entry.trusted);
    if (untrusted !== undefined) {
      return {
        code: "untrusted-workflow",
        level: "error",
        message: `The workflow '${name}' comes from this project, which is not trusted yet.`,
        why: "A workflow in a directory you cloned can run any command.",
        fix: `Read ${untrusted.file}, then say \`frond trust\`, or name the file itself.`,
      };
    }
    return {
      code: "unknown-workflow",
      level: "error",
      message: `There is no workflow '${name}'.`,
      fix: suggestName(name, this.#callableNames(), "workflow"),
    };
  }
}

function withoutRange({ range: _, ...rest }: Diagnostic): Omit<Diagnostic, "range"> {
  return rest;
}

/** For a problem that is shown at another place than its own. */
function locate(message: string, problem: Diagnostic): string {
  const { file, line } = toData(problem);
  return file === undefined ? message : `${message} (${file}, line ${line})`;
}

export interface LibraryPlaces {
  readonly builtIn: string;
  readonly home: string;
  readonly workspace: string;
  /** WORKFLOWS_TEMPLATE_PATHS: directories separated by commas. */
  readonly templatePaths: string;
}

export const projectDirectory: string = join(".frond", "workflows");

/** The workflow files that lie in a project itself. */
export function listProjectFiles(project: string, outside: Outside): readonly string[] {
  const directory = join(project, projectDirectory);
  return outside.listWorkflowFiles(directory, { followLink: false, limit: mostFiles }) ?? [];
}

/** Where workflows come from, in the order in which a later place wins. */
export function libraryDirectories(
  places: LibraryPlaces,
  isTrusted: (directory: string) => boolean,
): LibraryDirectory[] {
  const named = places.templatePaths
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => namedDirectory(path, places.home));
  return [
    { path: places.builtIn, source: "built-in", trusted: true, expected: false },
    { path: join(places.home, ".frond", "workflows"), source: "user", trusted: true, expected: false },
    ...named,
    {
      path: join(places.workspace, projectDirectory),
      source: "project",
      trusted: isTrusted(places.workspace),
      expected: false,
    },
  ];
}

/** A relative path would mean whatever lies in the directory Frond is started in, which nobody has vouched for. */
function namedDirectory(path: string, home: string): LibraryDirectory {
  const named = { path, source: "template-path", trusted: true, expected: true } as const;
  if (path === "~" || path.startsWith("~/")) return { ...named, path: join(home, path.slice(1)) };
  if (isAbsolute(path)) return named;
  const rule = "must be an absolute path or start with ~";
  return { ...named, problem: `The workflow directory ${path} is ignored: it ${rule} (WORKFLOWS_TEMPLATE_PATHS).` };
}
