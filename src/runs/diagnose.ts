import { delimiter, isAbsolute } from "node:path";
import type { Ports } from "../block/ports.ts";
import type { Advice } from "../diagnostic/advice.ts";
import type { JournalExamination } from "../journal/journal.ts";
import { secretNamePattern } from "../plan/check-secrets.ts";
import { defined } from "../util/defined.ts";
import { checkDatabase } from "./diagnose-database.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Machine, StateDirectoryExamination } from "./machine.ts";
import type { Platform } from "./platform.ts";
import { findInterrupted } from "./recover-runs.ts";
import type { Runtime } from "./runtime.ts";

export interface Check {
  /** What was looked at. */
  readonly check: string;
  /** A warning is something that some workflows may need; a problem keeps Frond from working. */
  readonly level: "ok" | "warning" | "problem";
  /** What was found, as one line. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
  readonly advice?: Advice;
}

/** Looks at everything that Frond needs of its surroundings. Nothing is made or changed for it. */
export async function diagnose(runtime: Runtime, machine: Machine): Promise<readonly Check[]> {
  const { platform } = runtime;
  const journal = await machine.examineJournal();
  const directory = machine.examineStateDirectory();
  return [
    checkNode(machine.nodeVersion),
    ...checkStart(machine),
    checkStorage(journal),
    ...(journal.server === undefined ? [] : checkDatabase(journal.server)),
    ...(platform.dispatch === undefined ? [] : [checkDispatch(machine), checkWorkspaces(platform)]),
    checkStateDirectory(platform, directory),
    checkJournal(journal, directory),
    await checkUndo(platform),
    ...(hasRunsHere(journal, directory) ? [await checkRuns(runtime)] : []),
    checkWorkflows(runtime),
    checkPath(platform.environment.variables.PATH ?? ""),
    checkShell(platform),
    await checkGit(platform),
    await checkSandbox(machine),
    await checkIsolation(machine),
    checkBrowser(machine),
    checkProcessTable(machine),
    await checkSupervisor(platform),
    checkSecrets(runtime),
  ];
}

function ok(check: string, message: string): Check {
  return { check, level: "ok", message };
}

function warning(check: string, message: string, fix?: string): Check {
  return { check, level: "warning", message, ...defined({ fix }) };
}

function advise(check: string, message: string, advice: Advice): Check {
  return { check, level: "warning", message, advice };
}

function problem(check: string, message: string, fix?: string): Check {
  return { check, level: "problem", message, ...defined({ fix }) };
}

/** One that is too old is refused before anything else is loaded. */
function checkNode(version: string): Check {
  return ok("Node", version);
}

/** Said only where a start takes longer than it has to. */
function checkStart({ refusesCodeCache, nodeOptions }: Machine): Check[] {
  if (!refusesCodeCache()) return [];
  const cause = nodeOptions === "" ? "a flag of Node" : `NODE_OPTIONS, '${nodeOptions}'`;
  const message = `${cause}, changes V8, which compiles Frond anew at every start: about three times as long`;
  return [
    warning("start", message, "Start Frond without flags of V8, such as those of memory and garbage collection."),
  ];
}

function checkStorage({ program }: JournalExamination): Check {
  const check = "storage";
  if (!program.ok) return problem(check, program.error);
  const { name, version, from } = program.value;
  return ok(check, `${name} ${version}, from ${from}`);
}

/** With less than this nothing is begun; with less than the other it is soon too little. */
const leastFreeBytes = 16 * 1024 * 1024;
const fewFreeBytes = 10 * leastFreeBytes;

/** Where the journal is in a database, a disk that can't be written to costs less. */
function checkStateDirectory(
  { stateDirectory: path, dispatch }: Platform,
  { access, freeBytes }: StateDirectoryExamination,
): Check {
  const name = "state directory";
  const [ofReading, ofSpace] =
    dispatch === undefined
      ? ["runs can be looked at, not started", "too little for any run"]
      : ["what commands print is not kept", "too little to keep what commands print"];
  if (!access.ok) return problem(name, access.error);
  const elsewhere = "or choose another one with FROND_STATE_DIR.";
  if (access.value === "read-only") {
    return problem(name, `${path} can't be written to: ${ofReading}`, `Make it writable, ${elsewhere}`);
  }
  const where = access.value === "absent" ? `${path} will be made by the first run` : path;
  if (freeBytes === undefined) return ok(name, where);
  const found = `${where}; ${Math.floor(freeBytes / 1e6)} MB free on its disk`;
  const advice = `Free some, ${elsewhere}`;
  if (freeBytes < leastFreeBytes) return problem(name, `${found}, ${ofSpace}`, advice);
  return freeBytes < fewFreeBytes ? warning(name, found, advice) : ok(name, found);
}

/** Without a state directory none was driven here, and looking into the journal would make one. */
function hasRunsHere({ bytes }: JournalExamination, { access }: StateDirectoryExamination): boolean {
  return bytes.ok && bytes.value !== undefined && access.ok && access.value !== "absent";
}

function checkJournal(examined: JournalExamination, directory: StateDirectoryExamination): Check {
  const name = "journal";
  const { program, access, bytes, server } = examined;
  if (!program.ok || (server === undefined && !directory.access.ok))
    return problem(name, "it could not be read, for the reason above");
  if (!access.ok) return problem(name, access.error);
  if (!bytes.ok) return problem(name, bytes.error);
  if (bytes.value === undefined) return ok(name, "it will be made by the first run");
  return ok(name, `it is sound and takes ${(bytes.value / 1e6).toFixed(1)} MB`);
}

/** Who only looks at runs, or drives its own, can do without. */
function checkDispatch(machine: Machine): Check {
  const found = machine.examineDispatch();
  if (found.ok) return ok("dispatch", found.value);
  return warning("dispatch", `runs can't be handed to workers, nor taken from here: ${found.error}`);
}

function checkWorkspaces({ workspaces }: Platform): Check {
  const found = workspaces.examine();
  if (found.ok) return ok("workspaces", `made in ${found.value}`);
  const fix =
    "Make it writable, or name another one with FROND_WORKSPACES_DIR: until then a worker here can't take runs whose workflow has `workspace`.";
  return warning("workspaces", found.error, fix);
}

async function checkUndo({ blobs }: Platform): Promise<Check> {
  const { bytes, runs } = await blobs.usage();
  if (runs.size === 0) return ok("undo", "nothing is kept of changed files yet");
  const whose = runs.size === 1 ? "one run" : `${runs.size} runs`;
  return ok("undo", `what ${whose} changed is kept, and takes ${(bytes / 1e6).toFixed(1)} MB`);
}

async function checkRuns({ platform }: Runtime): Promise<Check> {
  try {
    const { length } = (await findInterrupted(platform)).here;
    if (length === 0) return ok("runs", "none was interrupted");
    const message = length === 1 ? "one was interrupted" : `${length} were interrupted`;
    return advise("runs", message, { kind: "recover-runs" });
  } catch (error) {
    const failure = explainFailure(error);
    if (failure === undefined) throw error;
    return problem("runs", failure.message);
  }
}

function checkWorkflows({ workflows: { library } }: Runtime): Check {
  const entries = library.entries();
  const untrusted = entries.filter(({ trusted }) => !trusted).length;
  const found = `${entries.length - untrusted} can be run by name`;
  const remarks = [
    ...library.broken().map(({ file }) => `${file} is broken`),
    ...library.warnings(),
    ...(untrusted === 0 ? [] : [`${untrusted} of this project not trusted yet`]),
  ];
  if (remarks.length === 0) return ok("workflows", found);
  return advise("workflows", `${found}; ${remarks.join("; ")}`, { kind: "list-workflows" });
}

function checkPath(path: string): Check {
  const directories = path.split(delimiter).filter((directory) => directory !== "");
  if (directories.length === 0) return problem("PATH", "it is empty", "Set it where Frond is started.");
  const relative = directories.filter((directory) => !isAbsolute(directory));
  if (relative.length === 0)
    return ok("PATH", directories.length === 1 ? "one directory" : `${directories.length} directories`);
  const message = `it holds relative directories (${relative.join(", ")}), so which program runs depends on the directory`;
  return warning("PATH", message, "Write absolute paths.");
}

function checkShell({ environment: { findProgram } }: Ports): Check {
  const bash = findProgram("bash");
  if (bash !== undefined) return ok("shell", bash);
  const sh = findProgram("sh");
  const fix = "Install bash.";
  if (sh === undefined) return problem("shell", "neither bash nor sh is on PATH", fix);
  return warning("shell", `${sh}, which runs commands that are written for bash differently or not at all`, fix);
}

async function checkGit({ environment, processes }: Ports): Promise<Check> {
  const git = environment.findProgram("git");
  const fix = "Install git, for workflows that work with repositories.";
  if (git === undefined) return warning("git", "it is not on PATH", fix);
  const answer = await processes.inspect(git, ["--version"], "");
  return answer?.exitCode === 0 ? ok("git", git) : warning("git", `${git} can't be run`, fix);
}

async function checkSandbox(machine: Machine): Promise<Check> {
  const found = await machine.findSandbox();
  if (found.ok) return ok("sandbox", `${found.value} works`);
  return warning("sandbox", found.error, "Until then, blocks that ask for a sandbox fail.");
}

async function checkIsolation(machine: Machine): Promise<Check> {
  const found = await machine.findIsolation();
  if (found.ok) return ok("isolation", found.value);
  return warning("isolation", found.error, "Until then, blocks that say `effects: isolated` fail.");
}

function checkBrowser(machine: Machine): Check {
  const found = machine.findBrowser();
  if (found.ok) return ok("browser", found.value);
  return warning("browser", found.error, "Until then, blocks of the type Browser fail.");
}

function checkProcessTable(machine: Machine): Check {
  if (machine.hasProcessTable()) return ok("processes", "those that leave their group are found in /proc");
  return warning("processes", "without /proc, what a command starts in a group of its own may outlive it");
}

async function checkSupervisor({ processes }: Ports): Promise<Check> {
  const answer = await processes.inspect("/bin/sh", ["-c", ":"], "");
  if (answer?.exitCode === 0) return ok("supervisor", "/bin/sh works: commands end when Frond is killed");
  return warning(
    "supervisor",
    "/bin/sh can't be run: commands would go on when Frond is killed",
    "Install a shell there.",
  );
}

/** By name only: nobody should have to think about where a diagnosis is pasted. */
function checkSecrets({ platform: { secrets } }: Runtime): Check {
  const names = secrets.names.length === 0 ? "none is set" : `set: ${secrets.names.join(", ")}`;
  const misnamed = secrets.names.find((name) => !secretNamePattern.test(name));
  if (misnamed !== undefined) {
    const fix = "Use capitals, digits and _.";
    return warning("secrets", `${names}; no workflow can ask for '${misnamed}' by this name`, fix);
  }
  const unusable = secrets.names.map((name) => secrets.find(name)).find((found) => !found.ok);
  if (unusable === undefined || unusable.ok) return ok("secrets", names);
  return warning("secrets", `${names}; ${unusable.error}`);
}
