import type { BrowserAnswer, BrowserProblem, BrowserRequest, BrowserStep } from "../../block/browsers.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { showWebAddress } from "../../util/web-address.ts";
import type { CheckedProxy, ProxyClient } from "./checked-proxy.ts";
import { locateElements } from "./locate-elements.ts";
import { explainPageFailure, type Matches, PageFailure } from "./page-failure.ts";
import { performStep } from "./perform-step.ts";
import type { PlaywrightBrowser, PlaywrightContext, PlaywrightPage } from "./playwright.ts";

const viewport = { width: 1280, height: 720 };
/** Beyond what the page is given, for all that Playwright sets no limit to: a page whose code never ends answers nothing. */
const patienceMs = 5000;
const titleMs = 2000;
const mostNotes = 100;

/** Pages with cookies and storage of their own. */
export class BrowserSession {
  readonly allowPrivate: boolean;
  readonly #context: PlaywrightContext;
  /** The last one is the one that steps are done on. */
  readonly #pages: PlaywrightPage[] = [];
  #onNote: ((line: string) => void) | undefined;
  #notes: string[] = [];
  #noted = 0;
  /** What the proxy has said since the step began. */
  #problems: { readonly message: string; readonly isRefusal: boolean }[] = [];

  private constructor(context: PlaywrightContext, allowPrivate: boolean) {
    this.#context = context;
    this.allowPrivate = allowPrivate;
    context.on("page", (page) => this.#add(page));
  }

  static async open(browser: PlaywrightBrowser, proxy: CheckedProxy, allowPrivate: boolean): Promise<BrowserSession> {
    let session: BrowserSession | undefined;
    const client: ProxyClient = {
      allowPrivate,
      onProblem(_host, problem) {
        if (session === undefined) return;
        session.#problems.push(problem);
        if (problem.isRefusal) session.#note(problem.message);
      },
    };
    const context = await browser.newContext({
      acceptDownloads: false,
      // Nobody comes back to a session, and what they fetch is not seen by those who name the account to the proxy.
      serviceWorkers: "block",
      viewport,
      proxy: { server: `http://127.0.0.1:${proxy.port}`, bypass: "<-loopback>", ...proxy.admit(client) },
    });
    session = new BrowserSession(context, allowPrivate);
    return session;
  }

  async perform({ step, timeoutMs, onNote }: BrowserRequest): Promise<Result<BrowserAnswer, BrowserProblem>> {
    this.#onNote = onNote;
    for (const line of this.#notes.splice(0)) onNote(line);
    this.#problems = [];
    try {
      const answer = await within(timeoutMs + patienceMs, this.#do(step, timeoutMs));
      return ok(answer);
    } catch (error) {
      const matches = await this.#count(step);
      return err(explainPageFailure(error, timeoutMs / 1000, matches));
    } finally {
      this.#onNote = undefined;
    }
  }

  async close(): Promise<void> {
    await this.#context.close();
  }

  async #do(step: BrowserStep, timeout: number): Promise<BrowserAnswer> {
    if (step.kind === "open") {
      const page = this.#pages.at(-1) ?? (await this.#context.newPage());
      await this.#open(page, step.url, timeout);
      return this.#answer({});
    }
    const page = this.#pages.at(-1);
    if (page === undefined) throw new PageFailure("all pages of the session were closed", "no-session");
    return this.#answer(await performStep(page, step, timeout));
  }

  async #answer(found: Partial<BrowserAnswer>): Promise<BrowserAnswer> {
    const page = this.#pages.at(-1);
    if (page === undefined) return { url: "", title: "", ...found };
    // A page that goes on to another one, or never answers, has none for the moment.
    const title = await within(titleMs, page.title()).catch(() => "");
    return { url: page.url(), title, ...found };
  }

  async #open(page: PlaywrightPage, url: string, timeout: number): Promise<void> {
    const shown = showWebAddress(new URL(url));
    const response = await page.goto(url, { timeout, waitUntil: "load" }).catch((error: unknown) => {
      throw this.#explainOpening(error, shown, timeout);
    });
    const status = response?.status() ?? 200;
    if (status >= 400) throw new PageFailure(`${shown} answered with status ${status}`);
  }

  #explainOpening(error: unknown, shown: string, timeout: number): PageFailure {
    const text = error instanceof Error ? error.message : String(error);
    if (/Timeout \d+ms exceeded/.test(text))
      return new PageFailure(`${shown} has not loaded within ${timeout / 1000} s`);
    const [, code] = /net::ERR_(\w+)/.exec(text) ?? [];
    const problem = code !== undefined && cutByProxy.has(code) ? this.#problems.at(-1) : undefined;
    if (problem !== undefined) {
      const via = problem.message.startsWith(new URL(shown).host) ? "" : ` (where ${shown} leads)`;
      return new PageFailure(`${problem.message}${via}`, problem.isRefusal ? "refused" : "failed");
    }
    if (/Download is starting/.test(text)) return new PageFailure(`${shown} is a download, and downloads are refused`);
    return new PageFailure(`${shown} can't be opened${code === undefined ? "" : ` (${code})`}`);
  }

  /** How many elements there are of what a step was to be done with. */
  async #count(step: BrowserStep): Promise<Matches> {
    const page = this.#pages.at(-1);
    const target = "target" in step ? step.target : undefined;
    if (page === undefined || target === undefined) return undefined;
    const count = await within(titleMs, locateElements(page, target).count()).catch((): Matches => "silent");
    // Who takes all of them does not mind how many there are.
    const takesAll = step.kind === "extract" && step.all;
    return takesAll && typeof count === "number" ? Math.min(count, 1) : count;
  }

  #add(page: PlaywrightPage): void {
    if (this.#pages.length > 0) this.#note("a page opened another one; what follows is done there until it is closed");
    this.#pages.push(page);
    page.on("close", () => {
      const index = this.#pages.indexOf(page);
      if (index !== -1) this.#pages.splice(index, 1);
    });
    page.on("crash", () => this.#note("the page has crashed"));
    page.on("download", (download) => this.#note(`a download was refused: ${showAddress(download.url())}`));
    page.on("dialog", (dialog) => {
      this.#note(`dismissed a dialog (${dialog.type()}): ${dialog.message()}`);
      // It may have gone with its page.
      dialog.dismiss().catch(() => {});
    });
  }

  #note(line: string): void {
    if (this.#noted === mostNotes) return;
    this.#noted += 1;
    const text = this.#noted === mostNotes ? "there is more that is not told" : line;
    if (this.#onNote === undefined) this.#notes.push(text);
    else this.#onNote(text);
  }
}

/** How a page learns that the proxy has not let it through. */
const cutByProxy: ReadonlySet<string> = new Set(["EMPTY_RESPONSE", "TUNNEL_CONNECTION_FAILED", "CONNECTION_RESET"]);

function showAddress(url: string): string {
  return URL.canParse(url) ? showWebAddress(new URL(url)) : "";
}

/** What goes on behind it is lost with its page. */
async function within<T>(longestMs: number, event: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PageFailure("the page does not answer")), longestMs);
  });
  event.catch(() => {});
  try {
    return await Promise.race([event, late]);
  } finally {
    clearTimeout(timer);
  }
}
