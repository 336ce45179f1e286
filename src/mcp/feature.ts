import type { Server } from "@modelcontextprotocol/server";
import type { Era } from "./client.ts";
import { addCompletions } from "./completions.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import type { ServerContext } from "./server-context.ts";

/** A part of the protocol beside the tools: says what it can do and answers for it, on a server that has no client yet. */
export type Feature = (server: Server, context: ServerContext, era: Era) => void;

export const builtInFeatures: readonly Feature[] = [addResources, addPrompts, addCompletions];
