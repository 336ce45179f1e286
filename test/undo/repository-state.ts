import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What nobody but the user changes of a repository: the index, to the byte and to its times, and where every ref points. */
export function repositoryState(workspace: string): string {
  const own = join(workspace, ".git");
  if (!existsSync(own)) return "no repository";
  const index = join(own, "index");
  const { ino, mtimeNs } = lstatSync(index, { bigint: true });
  const bytes = readFileSync(index).toString("base64");
  return [`index ${ino} ${mtimeNs} ${bytes}`, ...readRefs(own, "refs"), ...readRefs(own, "HEAD")].join("\n");
}

/** Read from the files, because to start git for each case takes longer. */
function readRefs(own: string, name: string): readonly string[] {
  const path = join(own, name);
  if (!lstatSync(path).isDirectory()) return [`${name} ${readFileSync(path, "utf8")}`];
  return readdirSync(path)
    .sort()
    .flatMap((inner) => readRefs(own, `${name}/${inner}`));
}
