import type { ResourceTemplateType } from "@modelcontextprotocol/server";

/** What can be read, told by its URI. */
export type Target =
  | { readonly kind: "workflows" }
  | { readonly kind: "schema" }
  | { readonly kind: "workflow"; readonly name: string }
  | { readonly kind: "run"; readonly id: string }
  | { readonly kind: "log"; readonly id: string }
  | { readonly kind: "app" }
  | { readonly kind: "page"; readonly id: string; readonly record: PageRecord };

/** A record of the page, for the view of a run in a client: `run://ID/page/blocks/deploy/build?attempt=2`. */
export interface PageRecord {
  readonly part: PagePart;
  readonly address: string;
  readonly query: URLSearchParams;
}

const pageParts = ["level", "blocks", "value", "passes", "changes", "logs"] as const;
export type PagePart = (typeof pageParts)[number];

/** A run as an MCP App. */
export const runAppUri = "ui://frond/run";
export const workflowListUri = "workflow://list";
export const schemaUri = "workflow://schema";
export const workflowTemplate = "workflow://{name}";
export const runTemplate = "run://{id}";
export const logTemplate = "run://{id}/log";

export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    name: "workflow",
    title: "Workflow",
    uriTemplate: workflowTemplate,
    description: "The YAML text of a workflow that can be run by name.",
    mimeType: "application/yaml",
  },
  {
    name: "run",
    title: "Run",
    uriTemplate: runTemplate,
    description: "How a run stands, with the record of every block. Can be subscribed to.",
    mimeType: "application/json",
  },
  {
    name: "run-log",
    title: "Log of a run",
    uriTemplate: logTemplate,
    description: "What the blocks of a run wrote, or the end of it.",
    mimeType: "text/plain",
  },
];

export function workflowUri(name: string): string {
  return `workflow://${name}`;
}

export function runUri(runId: string): string {
  return `run://${runId}`;
}

/** What a URI stands for, if it has the form of one; whether there is such a thing is for whoever reads it to say. */
export function parseUri(uri: string): Target | undefined {
  if (uri === workflowListUri) return { kind: "workflows" };
  if (uri === schemaUri) return { kind: "schema" };
  if (uri === runAppUri) return { kind: "app" };
  const [, id = "", page, address = "", query] = /^run:\/\/([\w.-]+)\/page\/(\w+)\/([^?]*)(?:\?(.*))?$/.exec(uri) ?? [];
  const part = pageParts.find((one) => one === page);
  if (part !== undefined) {
    const decoded = decodeSteps(address);
    if (decoded === undefined) return undefined;
    return { kind: "page", id, record: { part, address: decoded, query: new URLSearchParams(query) } };
  }
  const [, scheme, name = "", rest] = /^(workflow|run):\/\/([\w.-]+)(\/log)?$/.exec(uri) ?? [];
  if (scheme === "run") return { kind: rest === undefined ? "run" : "log", id: name };
  return scheme === "workflow" && rest === undefined ? { kind: "workflow", name } : undefined;
}

/** Each step on its own, as the page writes them. */
function decodeSteps(address: string): string | undefined {
  try {
    return address.split("/").map(decodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}
