import { createRequire } from "node:module";
import { afterAll, expect, onTestFinished } from "vitest";
import { browserVariables } from "./browser.ts";
import { type HttpDoor, pageLink } from "./http-door.ts";

/** The part of playwright-core that tests of the page use. */
export interface Locator {
  click(options?: { readonly timeout?: number }): Promise<void>;
  fill(text: string): Promise<void>;
  check(): Promise<void>;
  focus(): Promise<void>;
  press(key: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  hover(): Promise<void>;
  waitFor(options?: { readonly state?: "visible" | "hidden" | "attached"; readonly timeout?: number }): Promise<void>;
  textContent(): Promise<string | null>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  boundingBox(): Promise<Box | null>;
  isVisible(): Promise<boolean>;
  count(): Promise<number>;
  first(): Locator;
  nth(index: number): Locator;
  locator(selector: string): Locator;
  getByRole(role: string, options?: Named): Locator;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Locator;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Named {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
}

/** A tab of a real browser. */
export interface Tab extends Pick<Locator, "locator" | "getByRole" | "getByText"> {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  getByLabel(text: string | RegExp): Locator;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  evaluate<T>(script: string): Promise<T>;
  setContent(html: string): Promise<void>;
  /** Scripts of the page can call it by its name. */
  exposeFunction(name: string, call: (...given: never[]) => unknown): Promise<void>;
  /** What is in a frame of it. */
  frameLocator(selector: string): Pick<Locator, "locator" | "getByRole" | "getByText">;
  addScriptTag(options: { readonly path: string }): Promise<unknown>;
  waitForFunction(script: string): Promise<unknown>;
  waitForURL(url: RegExp): Promise<void>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMedia(media: { readonly colorScheme: "light" | "dark" }): Promise<void>;
  screenshot(options: { readonly path: string; readonly fullPage?: boolean }): Promise<unknown>;
  /** Requests to an address wait until they are let go on. */
  route(url: string, hold: (request: { continue(): Promise<void> }) => Promise<void>): Promise<void>;
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "dialog", listener: (dialog: { message(): string; dismiss(): Promise<void> }) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
}

interface Context {
  newPage(): Promise<Tab>;
  close(): Promise<void>;
  setDefaultTimeout(ms: number): void;
  setOffline(isOffline: boolean): Promise<void>;
  cookies(url: string): Promise<readonly { readonly name: string; readonly value: string }[]>;
  addCookies(cookies: readonly object[]): Promise<void>;
}

interface Browser {
  newContext(options: object): Promise<Context>;
  close(): Promise<void>;
}

/** One for all tests of a file. */
let browser: Promise<Browser> | undefined;

/** Called by a file of tests: the browser ends with the last of them. */
export function closeBrowserAtTheEnd(): void {
  afterAll(async () => {
    await (await browser)?.close();
    browser = undefined;
  });
}

export interface Visit {
  readonly context: Context;
  readonly tab: Tab;
  /** Of the server, without a path. */
  readonly origin: string;
  /** Another tab of the same visitor. */
  another(): Promise<Tab>;
}

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** What the page may complain about. */
  readonly allows?: RegExp;
}

/** Opens the page of a server as a person does, by its link. Whatever the page complains about fails the test. */
export async function visit(door: HttpDoor, options: VisitOptions = {}): Promise<Visit> {
  const { context, another } = await openContext(options);
  const tab = await another();
  await tab.goto(await pageLink(door));
  await tab.waitForURL(/:\d+\/$/);
  return { context, tab, origin: new URL(door.url).origin, another };
}

/** Opens a file. What it asks for, and where, is kept. */
export async function visitFile(file: URL): Promise<{ readonly tab: Tab; readonly requests: readonly string[] }> {
  const { another } = await openContext({});
  const tab = await another();
  const requests: string[] = [];
  tab.on("request", (request) => requests.push(request.url()));
  await tab.goto(file.href);
  return { tab, requests };
}

/** An empty tab. Whatever a page in it complains about fails the test. */
export async function openTab(options: VisitOptions): Promise<Tab> {
  return (await openContext(options)).another();
}

async function openContext(options: VisitOptions): Promise<Pick<Visit, "context" | "another">> {
  const { width = 1440, height = 900, colorScheme = "light", allows } = options;
  const context = await (await startBrowser()).newContext({ viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const another = async (): Promise<Tab> => {
    const tab = await context.newPage();
    tab.on("pageerror", ({ message }) => complaints.push(message));
    tab.on("console", (message) => {
      if (message.type() === "error" && allows?.test(message.text()) !== true) complaints.push(message.text());
    });
    return tab;
  };
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return { context, another };
}

function startBrowser(): Promise<Browser> {
  if (browser === undefined) {
    const { FROND_BROWSER: executablePath, FROND_PLAYWRIGHT: playwright = "" } = browserVariables();
    const { chromium } = createRequire(import.meta.url)(playwright) as {
      readonly chromium: { launch(options: object): Promise<Browser> };
    };
    browser = chromium.launch({ executablePath, headless: true, args: ["--no-sandbox"] });
  }
  return browser;
}
