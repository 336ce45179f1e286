import { relative } from "node:path";
import type { BlockContext } from "../../block/define-block.ts";
import { settingsFor } from "./foreign-repository.ts";
import { asVariables } from "./git-settings.ts";

/** A value that names the directory may name a repository, which then runs nothing by itself. */
export async function gitVariables(
  directory: string,
  env: Readonly<Record<string, string>>,
  context: BlockContext,
): Promise<Record<string, string>> {
  const { workspace } = context;
  // Where it is not, it is not started.
  if (!directory.startsWith(`${workspace}/`)) return {};
  const settings = await settingsFor(context, { root: workspace, path: relative(workspace, directory) });
  return settings.length === 0 ? {} : asVariables(settings, env);
}
