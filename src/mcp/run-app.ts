import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import { asInlineScript, asInlineStyle } from "../views/page/inline-code.ts";
import type { ClientRequest } from "./client.ts";
import { runAppUri } from "./resource-uris.ts";
import type { ServerContext } from "./server-context.ts";

const appsExtension = "io.modelcontextprotocol/ui";
const appType = "text/html;profile=mcp-app";

/**
 * A run as an MCP App: clients that show such views beside a reply put this page into a frame of theirs. It asks the client for the records
 * of the run, loads nothing, and changes nothing.
 */
export const runApp: Resource = {
  uri: runAppUri,
  name: "run-view",
  title: "View of a run",
  description: "Shows a run while it goes on, for clients that show MCP Apps.",
  mimeType: appType,
};

/** Whether the client shows such views. */
export function showsApps({ capabilities }: Pick<ClientRequest, "capabilities">): boolean {
  const { mimeTypes } = (capabilities.extensions?.[appsExtension] ?? {}) as { readonly mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(appType);
}

/** Nothing but what is in it: no host to load from or to send to. A host may let it copy to the clipboard. */
const needs = { csp: { connectDomains: [], resourceDomains: [] }, permissions: { clipboardWrite: {} } };

/** Undefined where the build has left out the page. */
export function readRunApp(context: ServerContext): ReadResourceResult | undefined {
  const [script, style] = [context.readPageFile("embedded.js"), context.readPageFile("embedded.css")];
  if (script === undefined || style === undefined) return undefined;
  const text = writeFrame(script, style);
  return {
    contents: [{ uri: runAppUri, mimeType: appType, text, _meta: { ui: { ...needs, prefersBorder: true } } }],
  };
}

function writeFrame(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Run</title>
<style>${asInlineStyle(style)}</style>
</head>
<body>
<div id="page"></div>
<script>${asInlineScript(script)}</script>
</body>
</html>
`;
}
