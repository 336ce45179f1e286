import { spawn } from "node:child_process";
import { hostname, userInfo } from "node:os";

/** Programs that open pages end soon, or stay as the browser itself: whatever has not failed by then works. */
const startsWithinMs = 2_000;

/** Where the person sees web pages: `BROWSER` names a program for it, as it does for others; `none` stands for no browser. */
export function createDesktop(environment: NodeJS.ProcessEnv): {
  readonly remote?: string;
  open(url: string): Promise<boolean>;
} {
  const { SSH_CONNECTION, SSH_TTY } = environment;
  const isRemote = SSH_CONNECTION !== undefined || SSH_TTY !== undefined;
  return {
    ...(isRemote ? { remote: ownName() } : {}),
    open(url) {
      const command = findOpener(environment, isRemote);
      return command === undefined ? Promise.resolve(false) : start([...command, url]);
    },
  };
}

function findOpener(environment: NodeJS.ProcessEnv, isRemote: boolean): readonly string[] | undefined {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = environment;
  if (BROWSER === "none") return undefined;
  if (BROWSER) return [BROWSER];
  if (isRemote) return undefined;
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return DISPLAY || WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}

/** It outlives us, and what it writes is nobody's business. */
function start([program = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: "ignore" });
    const timer = setTimeout(() => resolve(true), startsWithinMs);
    const settle = (isOpen: boolean): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.once("error", () => settle(false));
    child.once("exit", (code) => settle(code === 0));
    child.unref();
  });
}

function ownName(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    return hostname();
  }
}
