import type { BrowserAnswer, BrowserProblem, BrowserRequest } from "../../block/browsers.ts";
import type { Environment } from "../../block/ports.ts";
import { err, type Result } from "../../util/result.ts";
import { removeTree } from "../files/remove-tree.ts";
import type { StartableProcesses } from "../processes/processes.ts";
import { BrowserSession } from "./browser-session.ts";
import { type CheckedProxy, openCheckedProxy, type ProxyOptions } from "./checked-proxy.ts";
import { findBrowser } from "./find-browser.ts";
import { loadPlaywright } from "./load-playwright.ts";
import { PageFailure } from "./page-failure.ts";
import type { PlaywrightBrowser } from "./playwright.ts";
import { makeProfile } from "./profile-directory.ts";
import { startChromium } from "./start-chromium.ts";

export interface BrowserParts {
  readonly processes: StartableProcesses;
  readonly environment: Environment;
  readonly network: ProxyOptions;
  warn(message: string): void;
}

interface Started {
  readonly browser: PlaywrightBrowser;
  readonly proxy: CheckedProxy;
  /** Resolves when nothing is left of it. */
  end(): Promise<void>;
}

const startMs = 60_000;
const sandboxVariable = "FROND_BROWSER_SANDBOX";

/** The browser of one run, from the first page that is opened on. */
export class RunBrowser {
  readonly #parts: BrowserParts;
  readonly #owner: string;
  readonly #sessions = new Map<string, Promise<BrowserSession>>();
  /** Ends whatever is started, also on its way. */
  readonly #abort = new AbortController();
  #started: Promise<Started> | undefined;

  constructor(owner: string, parts: BrowserParts) {
    this.#owner = owner;
    this.#parts = parts;
  }

  async perform(request: BrowserRequest): Promise<Result<BrowserAnswer, BrowserProblem>> {
    try {
      const session = await this.#find(request);
      if (request.allowPrivate && !session.allowPrivate) {
        return err({ kind: "refused", message: explainClosed(request.session) });
      }
      return await session.perform(request);
    } catch (error) {
      if (!(error instanceof PageFailure)) throw error;
      return err({ kind: error.kind, message: error.message });
    }
  }

  /** For good: what comes after it starts nothing. */
  async end(): Promise<void> {
    this.#abort.abort();
    this.#sessions.clear();
    const started = await this.#started?.catch(() => undefined);
    await started?.end();
  }

  async #find({ session: name, step, allowPrivate }: BrowserRequest): Promise<BrowserSession> {
    const found = this.#sessions.get(name);
    if (found !== undefined) return found;
    if (step.kind !== "open") throw new PageFailure(explainMissing(name), "no-session");
    const opening = this.#open(allowPrivate);
    this.#sessions.set(name, opening);
    opening.catch(() => {
      if (this.#sessions.get(name) === opening) this.#sessions.delete(name);
    });
    return opening;
  }

  async #open(allowPrivate: boolean): Promise<BrowserSession> {
    if (this.#abort.signal.aborted) throw new PageFailure("the run has ended", "aborted");
    const starting = this.#started ?? this.#start();
    this.#started = starting;
    const { browser, proxy } = await starting.catch((error: unknown) => {
      if (this.#started === starting) this.#started = undefined;
      throw error;
    });
    return BrowserSession.open(browser, proxy, allowPrivate);
  }

  async #start(): Promise<Started> {
    const { processes, environment, network } = this.#parts;
    const playwright = loadPlaywright(environment);
    if (!playwright.ok)
      throw new PageFailure(`There is nothing to drive a browser with: ${playwright.error}.`, "missing");
    const executable = findBrowser(environment, () => playwright.value.chromium.executablePath());
    if (!executable.ok) throw new PageFailure(`There is no browser: ${executable.error}.`, "missing");
    const [profile, proxy] = [await makeProfile(), await openCheckedProxy(network)];
    const stop = new AbortController();
    const chromium = startChromium(processes, {
      executable: executable.value,
      profile,
      proxyPort: proxy.port,
      env: variablesFor(environment, profile),
      owner: this.#owner,
      hasSandbox: process.getuid?.() !== 0 && environment.variables[sandboxVariable] !== "off",
      signal: AbortSignal.any([this.#abort.signal, stop.signal]),
    });
    const gone = chromium.ended.then(async (result) => {
      this.#sessions.clear();
      this.#started = undefined;
      proxy.close();
      await removeTree(profile).catch((error: unknown) => this.#warnOfProfile(profile, error));
      return result;
    });
    const end = async (): Promise<void> => {
      stop.abort();
      await gone;
    };
    const connecting = playwright.value.chromium.connectOverCDP(chromium.transport, {
      artifactsDir: profile,
      timeout: startMs,
    });
    try {
      const browser = await Promise.race([connecting, gone.then((result) => failToStart(executable.value, result))]);
      return { browser, proxy, end };
    } catch (error) {
      connecting.catch(() => {});
      await end();
      if (error instanceof PageFailure) throw error;
      const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
      throw new PageFailure(`The browser '${executable.value}' can't be driven: ${why}`, "missing");
    }
  }

  #warnOfProfile(profile: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#parts.warn(`The directory of a browser, ${profile}, can't be removed: ${why}`);
  }
}

function explainMissing(name: string): string {
  return (
    `Session '${name}' has no page in this run: it begins with the first block that has a \`url\`, and ends with the run, ` +
    "and when the run pauses or goes on in another process. Open a page first: add `url`, or a block with `action: navigate` before it."
  );
}

function explainClosed(name: string): string {
  return (
    `Session '${name}' was opened without \`allow_private\`, which holds as long as the session does. ` +
    "Say it on the block that opens the session, or name another `session`."
  );
}

function failToStart(executable: string, result: Awaited<ReturnType<StartableProcesses["run"]>>): never {
  if (!result.started) throw new PageFailure(`The browser can't be started: ${result.message}.`, "missing");
  const said = result.stderr.text;
  const isSandbox = /no usable sandbox|setuid sandbox|namespace sandbox|running as root without/i.test(said);
  const lines = said.trim().split("\n");
  const why = isSandbox
    ? `this system allows it no sandbox of its own. Allow user namespaces, or set ${sandboxVariable}=off to do without`
    : `it ended with exit code ${result.exitCode}: ${lines.at(-1) ?? ""}`;
  throw new PageFailure(`The browser '${executable}' can't be started: ${why}.`, "missing");
}

/** A program that runs the code of strangers is told no more than it needs. */
function variablesFor({ variables }: Environment, profile: string): Record<string, string> {
  const passed = /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_DATA_DIRS)$/;
  const own = { TMPDIR: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile };
  return { ...Object.fromEntries(Object.entries(variables).filter(([name]) => passed.test(name))), ...own };
}
