import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";

/**
 * PATH with the directory of Python itself in front, where a version manager's script comes first: one of pyenv starts some thirty
 * programs before Python, and the tests start it a few hundred times.
 */
export function pathWithPython(path: string): string {
  const ask = 'command -v python3 && python3 -c "import sys; print(sys.executable)"';
  const { status, stdout } = spawnSync("sh", ["-c", ask], { encoding: "utf8" });
  const [found = "", python = ""] = status === 0 ? stdout.trimEnd().split("\n") : [];
  const isItself = found === "" || python === "" || realpathSync(found) === realpathSync(python);
  return isItself ? path : `${dirname(python)}${delimiter}${path}`;
}
