import { homedir } from "node:os";
import { join } from "node:path";
import type { Platform } from "../../runs/platform.ts";
import type { Candidate, Paths } from "./candidate.ts";

const mostNames = 20_000;
const mostPaths = 500;

/** Paths that begin with what is typed, directories with a slash behind them; hidden ones only where a dot is typed. */
export async function listPaths(text: string, { endings }: Paths, platform: Platform): Promise<readonly Candidate[]> {
  // `--workspace=some/dir`: only what follows is a path.
  const option = /^--[\w-]+=/.exec(text)?.[0] ?? "";
  const at = Math.max(option.length, text.lastIndexOf("/") + 1);
  const [before, beginning] = [text.slice(0, at), text.slice(at)];
  const path = before.slice(option.length);
  const place = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
  const directory = platform.realDirectory(place === "" ? "." : place);
  if (!directory.ok) return [];
  const names = await platform.files.list({ root: directory.value, path: "" }, mostNames);
  if ("kind" in names) return [];
  const matching = names.filter((name) => name.startsWith(beginning) && (!name.startsWith(".") || beginning !== ""));
  return matching.slice(0, mostPaths).flatMap((name) => {
    if (platform.realDirectory(join(directory.value, name)).ok) return [{ value: `${before}${name}/` }];
    const isWanted = endings?.length === 0 || endings?.some((ending) => name.endsWith(ending));
    return isWanted ? [{ value: before + name }] : [];
  });
}
