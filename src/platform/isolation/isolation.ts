import { chmodSync, chownSync, lstatSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IsolatedWorkspace, Isolation, IsolationRequest } from "../../block/isolation.ts";
import type { Environment } from "../../block/ports.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { nameOf } from "../files/file-paths.ts";
import { createFileSystem } from "../files/file-system.ts";
import { removeTree } from "../files/remove-tree.ts";
import { endInside } from "./end-inside.ts";
import { type Holder, startHolder } from "./holder.ts";
import { IsolatedDirectories } from "./isolated-directories.ts";
import { findTools, type Tools, tryTools } from "./isolation-tools.ts";
import { type Layers, readLayer } from "./read-layer.ts";
import { mountsBelow, workspaceMounts } from "./workspace-mounts.ts";

/** With an overlay mount, in a mount namespace of its own. */
export function createIsolation(environment: Environment, stateDirectory: string): Isolation {
  const directories = new IsolatedDirectories(stateDirectory);
  /** What works, by the directory in which it was tried. */
  const tried = new Map<string, Promise<Result<Tools, string>>>();

  function tryIn(base: string, make: (base: string) => string): Promise<Result<Tools, string>> {
    const known = tried.get(base) ?? tryOut(environment, () => make(base));
    tried.set(base, known);
    return known;
  }

  async function firstThatWorks(
    bases: readonly string[],
    make: (base: string) => string,
  ): Promise<Result<{ readonly base: string; readonly tools: Tools }, string>> {
    if (process.platform !== "linux")
      return err("isolated workspaces are made with overlay mounts, which only Linux has");
    let problem = "there is no directory apart from the workspace that could hold what commands write";
    for (const base of bases) {
      const tools = await tryIn(base, make);
      if (tools.ok) return ok({ base, tools: tools.value });
      problem = tools.error;
    }
    return err(problem);
  }

  return {
    async find() {
      const found = await firstThatWorks(directories.existing, (base) => directories.makeIn(base));
      return found.ok ? ok(`overlay mounts work in ${found.value.base}`) : found;
    },
    async open(request) {
      const { workspace } = request;
      const found = await firstThatWorks(directories.bases(workspace), (base) => directories.make(base));
      if (!found.ok) return found;
      const [mounted] = mountsBelow(workspace);
      if (mounted !== undefined) return err(`'${mounted}' is mounted in the workspace, and would not be seen`);
      await directories.sweep();
      const { base, tools } = found.value;
      return orExplain(() => openIn(directories.make(base), tools, request, stateDirectory));
    },
    sweep: () => directories.sweep(),
  };
}

async function tryOut(environment: Environment, make: () => string): Promise<Result<Tools, string>> {
  const tools = findTools(environment);
  if (!tools.ok) return tools;
  return orExplain(async () => {
    const directory = make();
    try {
      return await tryTools(tools.value, directory);
    } finally {
      await removeTree(directory);
    }
  });
}

/** The disk may be full, or a directory not to be written to. */
async function orExplain<T>(make: () => Promise<Result<T, string>>): Promise<Result<T, string>> {
  try {
    return await make();
  } catch (error) {
    return err(`an isolated workspace can't be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function openIn(
  directory: string,
  tools: Tools,
  { workspace, shared }: IsolationRequest,
  stateDirectory: string,
): Promise<Result<IsolatedWorkspace, string>> {
  const since = prepareUpper(directory, workspace);
  const mounts = workspaceMounts(workspace, [...shared, stateDirectory]);
  const holder = await startHolder({ unshare: tools.unshare, directory, workspace, mounts });
  if (!holder.ok) {
    await removeTree(directory);
    return err(`the workspace can't be isolated: ${holder.error}`);
  }
  return ok(isolatedBy(holder.value, tools, { directory, workspace, since }));
}

/** Gives the time as file systems tell it: what is changed in the workspace from then on has a later one. */
function prepareUpper(directory: string, workspace: string): bigint {
  const upper = join(directory, "upper");
  const { mode, uid, gid } = lstatSync(workspace);
  // Commands see it as the workspace itself.
  if (process.getuid?.() === 0) chownSync(upper, uid, gid);
  chmodSync(upper, mode & 0o7777);
  return statSync(upper, { bigint: true }).ctimeNs;
}

interface Isolated {
  readonly directory: string;
  readonly workspace: string;
  readonly since: bigint;
}

function isolatedBy(holder: Holder, tools: Tools, { directory, workspace, since }: Isolated): IsolatedWorkspace {
  const root = `/proc/${holder.pid}/root`;
  const { look, read, hash, list } = createFileSystem(process.platform, root);
  let names: Promise<ReadonlySet<string>> | undefined;
  const layers: Layers = {
    upper: join(directory, "upper"),
    lower: workspace,
    merged: `${root}${workspace}`,
    since,
    async wasThere(path) {
      names ??= readNames(join(directory, "names"));
      return (await names).has(path);
    },
  };
  return {
    entrance: { root, enter: tools.enter(holder.pid) },
    files: { look, read, hash, list },
    async changes() {
      if (await endInside(holder.pid)) return readLayer(layers);
      return err("a process that it has started does not end, and may still write");
    },
    async close() {
      await endInside(holder.pid);
      await holder.close();
      await removeTree(directory);
    },
  };
}

/** As the holder has listed them: `lower/a`, each followed by a NUL. */
async function readNames(file: string): Promise<ReadonlySet<string>> {
  const bytes = await readFile(file);
  const names = new Set<string>();
  for (let start = 0, end = bytes.indexOf(0); end !== -1; start = end + 1, end = bytes.indexOf(0, start)) {
    names.add(nameOf(bytes.subarray(start, end)).slice("lower/".length));
  }
  return names;
}
