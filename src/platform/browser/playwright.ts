/**
 * The part of playwright-core that is used here. Its own types are not there when Frond is built, because it is only installed where it is
 * wanted.
 */
export interface Playwright {
  readonly chromium: {
    /** Where the browser is that it fetches, whether it is there or not. */
    executablePath(): string;
    connectOverCDP(transport: DebuggingTransport, options: ConnectOptions): Promise<PlaywrightBrowser>;
  };
}

/** Messages of the Chrome DevTools Protocol. */
export interface DebuggingTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

interface ConnectOptions {
  readonly artifactsDir: string;
  readonly timeout: number;
}

export interface PlaywrightBrowser {
  newContext(options: ContextOptions): Promise<PlaywrightContext>;
  close(): Promise<void>;
}

interface ContextOptions {
  readonly acceptDownloads: false;
  readonly serviceWorkers: "block";
  readonly viewport: { readonly width: number; readonly height: number };
  readonly proxy: {
    readonly server: string;
    readonly bypass: string;
    readonly username: string;
    readonly password: string;
  };
}

export interface PlaywrightContext {
  newPage(): Promise<PlaywrightPage>;
  on(event: "page", listener: (page: PlaywrightPage) => void): void;
  close(): Promise<void>;
}

interface WaitOptions {
  readonly timeout: number;
}

export interface PlaywrightPage {
  goto(url: string, options: WaitOptions & { readonly waitUntil: "load" }): Promise<PlaywrightResponse | null>;
  url(): string;
  title(): Promise<string>;
  locator(selector: string): PlaywrightLocator;
  getByRole(role: string, options: { readonly name?: string; readonly exact?: boolean }): PlaywrightLocator;
  getByText(text: string, options: { readonly exact: boolean }): PlaywrightLocator;
  getByLabel(text: string, options: { readonly exact: boolean }): PlaywrightLocator;
  getByPlaceholder(text: string, options: { readonly exact: boolean }): PlaywrightLocator;
  readonly keyboard: { press(key: string): Promise<void> };
  evaluate<Argument>(code: (argument: Argument) => void, argument: Argument): Promise<void>;
  waitForLoadState(state: "load" | "domcontentloaded", options: WaitOptions): Promise<void>;
  screenshot(options: WaitOptions & { readonly fullPage: boolean }): Promise<Uint8Array>;
  isClosed(): boolean;
  on(event: "dialog", listener: (dialog: PlaywrightDialog) => void): void;
  on(event: "download", listener: (download: { url(): string }) => void): void;
  on(event: "close" | "crash", listener: () => void): void;
}

interface PlaywrightResponse {
  status(): number;
}

interface PlaywrightDialog {
  type(): string;
  message(): string;
  dismiss(): Promise<void>;
}

export interface PlaywrightLocator {
  nth(index: number): PlaywrightLocator;
  last(): PlaywrightLocator;
  count(): Promise<number>;
  click(options: WaitOptions): Promise<void>;
  fill(text: string, options: WaitOptions): Promise<void>;
  press(key: string, options: WaitOptions): Promise<void>;
  selectOption(options: readonly string[], more: WaitOptions): Promise<readonly string[]>;
  scrollIntoViewIfNeeded(options: WaitOptions): Promise<void>;
  waitFor(options: WaitOptions & { readonly state: "attached" }): Promise<void>;
  evaluateAll<Argument, Made>(
    code: (elements: PageElement[], argument: Argument) => Made,
    argument: Argument,
  ): Promise<Made>;
  screenshot(options: WaitOptions): Promise<Uint8Array>;
}

/** An element as code inside of the page sees it. */
export interface PageElement {
  readonly innerText?: string;
  readonly textContent: string | null;
  readonly innerHTML: string;
  readonly value?: unknown;
  readonly checked?: unknown;
  readonly disabled?: unknown;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly width: number; readonly height: number };
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: PageElement): { readonly visibility: string } } | null;
  };
}
