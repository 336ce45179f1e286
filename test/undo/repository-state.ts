import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../rig/git-repository.ts";

/** What nobody but the user changes of a repository: the index, to the byte and to its times, and where every ref points. */
export function repositoryState(workspace: string): string {
  const own = join(workspace, ".git");
  if (!existsSync(own)) return "no repository";
  const index = join(own, "index");
  const { ino, mtimeNs } = lstatSync(index, { bigint: true });
  const bytes = readFileSync(index).toString("base64");
  const refs = git(workspace, "for-each-ref", "--format=%(refname) %(objectname)");
  return [`index ${ino} ${mtimeNs} ${bytes}`, refs, readFileSync(join(own, "HEAD"), "utf8")].join("\n");
}
