import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ProcessResult } from "../../block/ports.ts";
import type { StartableProcesses } from "../processes/processes.ts";
import type { DebuggingTransport } from "./playwright.ts";

export interface ChromiumRequest {
  readonly executable: string;
  readonly profile: string;
  readonly proxyPort: number;
  readonly env: Readonly<Record<string, string>>;
  readonly owner: string;
  readonly hasSandbox: boolean;
  readonly signal: AbortSignal;
}

export interface Chromium {
  readonly transport: DebuggingTransport;
  /** Resolves when nobody of its processes lives. */
  readonly ended: Promise<ProcessResult>;
}

/**
 * Starts the browser as any command is started: it leads a group that the supervisor knows from its first moment. It is driven over
 * pipes, which nobody else can open, and ends by itself when they do.
 */
export function startChromium(processes: StartableProcesses, request: ChromiumRequest): Chromium {
  const { executable, profile, env, owner, signal } = request;
  let spawned: ChildProcess | undefined;
  const ended = processes.run({
    file: executable,
    args: argumentsOf(request),
    cwd: profile,
    env,
    stdin: "",
    maxOutput: 20_000,
    capture: true,
    keepBackground: false,
    owner,
    signal,
    more: ["pipe", "pipe"],
    onSpawned: (child) => {
      spawned = child;
    },
  });
  return { transport: openTransport(spawned), ended };
}

/** Over the pipes a message ends with a NUL. */
function openTransport(child: ChildProcess | undefined): DebuggingTransport {
  const toBrowser = child?.stdio[3] as Writable | undefined;
  const fromBrowser = child?.stdio[4] as Readable | undefined;
  let isOpen = true;
  const transport: DebuggingTransport = {
    send(message) {
      if (isOpen) toBrowser?.write(`${JSON.stringify(message)}\0`);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      toBrowser?.destroy();
      fromBrowser?.destroy();
      transport.onclose?.();
    },
  };
  let parts: Buffer[] = [];
  const take = (chunk: Buffer): void => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      parts.push(rest.subarray(0, end));
      const text = Buffer.concat(parts).toString();
      parts = [];
      rest = rest.subarray(end + 1);
      // Each in a turn of its own, as Playwright's own pipes do: who waits for one goes on before the next one comes.
      setImmediate(() => transport.onmessage?.(JSON.parse(text) as object));
    }
    if (rest.length > 0) parts.push(rest);
  };
  // A pipe whose other end has gone says so by its end; a write that fails says nothing new.
  toBrowser?.on("error", () => {});
  fromBrowser
    ?.on("error", () => {})
    .on("data", take)
    .once("close", transport.close);
  return transport;
}

function argumentsOf({ profile, proxyPort, hasSandbox }: ChromiumRequest): string[] {
  return [
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    `--user-data-dir=${profile}`,
    ...(hasSandbox ? [] : ["--no-sandbox"]),
    ...goesOutOnlyBy(proxyPort),
    ...staysQuiet,
    ...isEven,
  ];
}

/** Also what is no request of a page: nothing is looked up, and there is no way past the proxy. Sessions have accounts of it; the browser has none. */
function goesOutOnlyBy(proxyPort: number): string[] {
  return [
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  ];
}

/** Nothing that is meant for a person in front of it, or for the maker of the browser. */
const staysQuiet: readonly string[] = [
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--metrics-recording-only",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
];

/** So that pages come out the same everywhere, and take what is done to them at once: most of it Playwright counts on. */
const isEven: readonly string[] = [
  "--allow-pre-commit-input",
  "--disable-back-forward-cache",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-hang-monitor",
  "--disable-ipc-flooding-protection",
  "--disable-popup-blocking",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  `--disable-features=${[
    ...["AcceptCHFrame", "AutofillServerCommunication", "AvoidCorsURLLoaderRestartOnRedirect"],
    ...["DestroyProfileOnBrowserClose", "GlobalMediaControls", "HttpsUpgrades", "LensOverlay", "MediaRouter"],
    ...["NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"],
    ...["ThirdPartyStoragePartitioning", "Translate"],
  ].join()}`,
];
