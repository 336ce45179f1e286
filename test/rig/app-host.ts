import type { Client, ClientCapabilities } from "@modelcontextprotocol/client";
import { openTab, type Tab, type VisitOptions } from "./tab.ts";

/** What a client declares that shows MCP Apps. */
export const showingApps: ClientCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

/** What the specification has a host allow a view that asks for nothing. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

export interface AppHost {
  readonly tab: Tab;
  readonly frame: ReturnType<Tab["frameLocator"]>;
  /** The resources that the view has read, in order. */
  readonly read: readonly string[];
  /** Tells the view something. */
  tell(method: string, params: object): Promise<void>;
  /** What the view has said by notifications of this name. */
  heard<T>(method: string): Promise<readonly T[]>;
}

export interface AppHostOptions extends VisitOptions {
  readonly client: Client;
  readonly theme?: "light" | "dark";
  /** Name of the tool whose call is shown. */
  readonly tool: string;
}

/** A small host: a page with the view in a frame that has no origin, which passes on what the view reads. */
export async function openAppHost({ client, theme = "light", tool, ...options }: AppHostOptions): Promise<AppHost> {
  const tab = await openTab(options);
  const read: string[] = [];
  await tab.exposeFunction("readResource", async (uri: string) => {
    read.push(uri);
    try {
      return { result: await client.readResource({ uri }) };
    } catch (error) {
      const { code = 0, message } = error as Error & { readonly code?: number };
      return { error: { code, message } };
    }
  });
  const [content] = (await client.readResource({ uri: "ui://frond/run" })).contents;
  if (content === undefined || !("text" in content)) throw new Error("A view is a text.");
  const html = content.text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
  await tab.setContent(
    `<!doctype html><style>body { margin: 0 } iframe { width: 100%; height: 100px; border: 0 }</style>
    <iframe sandbox="allow-scripts"></iframe><script>(${host.toString()})(${inScript({ html, theme, tool })})</script>`,
  );
  return {
    tab,
    frame: tab.frameLocator("iframe"),
    read,
    async tell(method, params) {
      await tab.waitForFunction("window.isInitialized === true");
      await tab.evaluate(`window.tell(${JSON.stringify({ method, params })})`);
    },
    heard: (method) =>
      tab.evaluate(
        `window.heard.filter(({ method }) => method === ${JSON.stringify(method)}).map(({ params }) => params)`,
      ),
  };
}

function inScript(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

interface HostWindow extends EventTarget {
  readResource(uri: string): Promise<object>;
  tell(message: object): void;
  isInitialized: boolean;
  heard: object[];
  document: { querySelector(selector: string): Frame };
}

interface Frame {
  srcdoc: string;
  readonly style: { height: string };
  readonly contentWindow: { postMessage(message: object, origin: string): void };
}

interface FromView {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly uri: string; readonly height: number };
}

/** Runs in the browser. */
function host({ html, theme, tool }: { readonly html: string; readonly theme: string; readonly tool: string }): void {
  const own = globalThis as unknown as HostWindow;
  const frame = own.document.querySelector("iframe");
  const post = (message: object): void => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  own.heard = [];
  own.tell = post;
  own.addEventListener("message", async (event) => {
    const { id, method, params } = (event as Event & { readonly data: FromView }).data;
    if (id === undefined) own.heard.push({ method, params });
    if (method === "ui/notifications/initialized") own.isInitialized = true;
    if (method === "ui/notifications/size-changed") frame.style.height = `${params.height}px`;
    if (method === "resources/read") post({ id, ...(await own.readResource(params.uri)) });
    if (method === "ui/initialize") {
      const hostContext = { theme, toolInfo: { tool: { name: tool, inputSchema: {} } } };
      const hostInfo = { name: "test", version: "1" };
      const hostCapabilities = { serverResources: {} };
      post({ id, result: { protocolVersion: "2026-01-26", hostInfo, hostCapabilities, hostContext } });
    }
  });
  frame.srcdoc = html;
}
