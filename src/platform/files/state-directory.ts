import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Where Frond keeps what outlives a process: runs, their logs, whom to trust. */
export function stateDirectory(
  { FROND_STATE_DIR: own, XDG_STATE_HOME: shared }: NodeJS.ProcessEnv,
  warn: (message: string) => void = () => {},
): string {
  if (own !== undefined && own !== "") {
    const directory = resolve(own);
    if (!isAbsolute(own)) {
      warn(
        `FROND_STATE_DIR is '${own}', a relative path: from another directory these runs are not found. Set it to ${directory}`,
      );
    }
    return directory;
  }
  // The specification of XDG directories has a relative one ignored.
  const home = shared !== undefined && isAbsolute(shared) ? shared : join(homedir(), ".local", "state");
  return join(home, "frond");
}
