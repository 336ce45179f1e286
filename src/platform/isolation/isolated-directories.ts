import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessIdentity } from "../../block/ports.ts";
import { makeDirectories } from "../../util/make-directories.ts";
import { pathBelow } from "../../util/path-below.ts";
import { realPath } from "../files/file-paths.ts";
import { isOurs } from "../files/ownership.ts";
import { removeTree } from "../files/remove-tree.ts";
import { bootId } from "../machine.ts";
import { identifyProcess, isLiving, startTimeHere } from "../processes/process-identity.ts";

const ownerName = "owner";

/**
 * Where the layers of isolated workspaces lie, each in a directory that says whose it is. They are dropped when their block ends;
 * what an engine leaves that dies is removed by the next one.
 */
export class IsolatedDirectories {
  readonly #bases: readonly string[];

  constructor(stateDirectory: string) {
    const user = process.getuid?.() ?? 0;
    const state = realPath(stateDirectory) ?? stateDirectory;
    this.#bases = [join(state, "isolated"), join(realPath(tmpdir()) ?? tmpdir(), `frond-isolated-${user}`)];
  }

  /** Those that can be used for a workspace: no layer lies in another. */
  bases(workspace: string): readonly string[] {
    const isApart = (base: string): boolean =>
      pathBelow(workspace, base) === undefined && pathBelow(base, workspace) === undefined;
    return this.#bases.filter(isApart);
  }

  /** For a look at what works, which leaves nothing behind. */
  get existing(): readonly string[] {
    return this.#bases.map((base) => join(base, "..")).filter((directory) => realPath(directory) !== undefined);
  }

  /** Throws when it can't be made. */
  make(base: string): string {
    makeDirectories(base, 0o700);
    const found = lstatSync(base);
    if (!found.isDirectory() || !isOurs(found)) throw new Error(`'${base}' belongs to somebody else`);
    chmodSync(base, 0o700);
    return this.makeIn(base);
  }

  makeIn(base: string): string {
    const directory = mkdtempSync(join(base, "frond-isolated-"));
    writeFileSync(join(directory, ownerName), JSON.stringify(identifyProcess(process.pid)));
    for (const name of ["lower", "merged", "work", "upper"]) mkdirSync(join(directory, name), { mode: 0o700 });
    return directory;
  }

  async sweep(): Promise<void> {
    for (const base of this.#bases) {
      for (const name of namesIn(base)) {
        const directory = join(base, name);
        // What can't be removed is a nuisance, and the next one tries again.
        if (isLeft(directory)) await removeTree(directory).catch(() => undefined);
      }
    }
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Only what certainly belongs to an engine that lives no more. */
function isLeft(directory: string): boolean {
  const owner = readOwner(directory);
  if (owner === undefined || owner.startTime === "") return false;
  const startTime = startTimeHere(owner);
  if (startTime !== undefined) return isLiving(owner.pid, startTime) === false;
  return bootId() !== "" && !owner.startTime.includes(bootId());
}

function readOwner(directory: string): ProcessIdentity | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(join(directory, ownerName), "utf8")) as Partial<ProcessIdentity>;
    return typeof pid === "number" && typeof startTime === "string" ? { pid, startTime } : undefined;
  } catch {
    return undefined;
  }
}
