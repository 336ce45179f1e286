import { chmod, mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { endStrays } from "../processes/end-strays.ts";
import { removeTree } from "./remove-tree.ts";

/** The directories of one case of a test; what they are for, `testing/test-bench.ts` says. */
export interface TestGround {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly temporary: string;
  readonly state: string;
  readonly programs: string;
  readonly calls: string;
  readonly workflows: string;
  write(directory: string, path: string, text: string, mode?: number): Promise<string | undefined>;
  read(directory: string, path: string): Promise<string | undefined>;
  close(keep: boolean): Promise<string | undefined>;
}

export async function makeTestGround(): Promise<TestGround> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "frond-case-")));
  const paths = {
    workspace: join(root, "workspace"),
    home: join(root, "home"),
    temporary: join(root, "tmp"),
    state: join(root, "state"),
    programs: join(root, "bin"),
    calls: join(root, "calls"),
    workflows: join(root, "workflows"),
  };
  for (const directory of Object.values(paths)) await mkdir(directory);
  return {
    root,
    ...paths,
    async write(directory, path, text, mode) {
      const file = join(directory, path);
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
        if (mode !== undefined) await chmod(file, mode);
        return undefined;
      } catch (error) {
        return `It can't be written: ${(error as Error).message}.`;
      }
    },
    read: (directory, path) => readOptional(join(directory, path)),
    async close(keep) {
      try {
        await endStrays([`${root}/`]);
        if (!keep) await removeTree(root);
        return undefined;
      } catch (error) {
        return `${root} can't be removed: ${(error as Error).message}.`;
      }
    },
  };
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
