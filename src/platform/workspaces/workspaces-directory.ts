import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";

/**
 * Where workspaces are made. Not in the state directory, which commands in a sandbox can't see and blocks can't change. Those of runs in a
 * database have a directory for each database: what one does not know is rubbish there alone.
 */
export function workspacesDirectory(
  { FROND_WORKSPACES_DIR: own }: NodeJS.ProcessEnv,
  stateDirectory: string,
  database: string | undefined,
  warn: (message: string) => void,
): string {
  const directory = own === undefined || own === "" ? `${stateDirectory}-workspaces` : resolve(own);
  if (own !== undefined && own !== "" && !isAbsolute(own)) {
    warn(
      `FROND_WORKSPACES_DIR is '${own}', a relative path: from another directory these workspaces are not found. Set it to ${directory}`,
    );
  }
  return database === undefined ? directory : join(directory, nameOf(database));
}

/** The same for whoever uses it. */
function nameOf(database: string): string {
  const parsed = URL.canParse(database) ? new URL(database) : undefined;
  const what = parsed === undefined ? database : `${parsed.host}${parsed.pathname}`;
  return createHash("sha256").update(what).digest("hex").slice(0, 16);
}
