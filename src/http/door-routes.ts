import { userInfo } from "node:os";
import * as z from "zod";
import { ok } from "../util/result.ts";
import { describeApi } from "./describe-api.ts";
import { defineRoute, type Route } from "./route.ts";

/** The routes with those that tell of the server itself, and let others in. */
export function withDoorRoutes(routes: readonly Route[], issueLink: (to?: string) => string): readonly Route[] {
  const all: readonly Route[] = [serverRoute, linksRoute(issueLink), ...routes, openApiRoute(() => all)];
  return all;
}

const serverRoute: Route = defineRoute({
  method: "GET",
  path: "/server",
  summary: "What this server is there for.",
  effect: "reads",
  gives: () =>
    z.object({
      version: z.string().describe("Of Frond"),
      workspace: z.string().describe("The directory that runs work in when nobody says otherwise"),
      roots: z.array(z.string()).describe("The directories whose runs it deals with"),
      read_only: z.boolean().describe("Whether it changes nothing"),
      user: z.string().describe("Who it runs as; empty where the system has no name for them"),
    }),
  async answer(_asked, { version, settings: { workspace, roots, isReadOnly } }) {
    return ok({ version, workspace, roots, read_only: isReadOnly, user: userName() });
  },
});

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

function linksRoute(issueLink: (to?: string) => string): Route {
  return defineRoute({
    method: "POST",
    path: "/links",
    summary: "A link that lets one browser in, once, within ten minutes.",
    description: "Whoever opens it is taken for a person: only they can answer questions that are put to people.",
    effect: "reads",
    isForToken: true,
    body: () => z.strictObject({ to: z.string().startsWith("/").optional().describe("The path it leads to") }),
    gives: () => z.object({ url: z.string() }),
    answer: async ({ body: { to } }) => ok({ url: issueLink(to) }),
  });
}

function openApiRoute(routes: () => readonly Route[]): Route {
  return defineRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This API, as OpenAPI 3.1 has it.",
    effect: "reads",
    gives: () => z.looseObject({ openapi: z.string() }),
    answer: async (_asked, { version }) => ok(describeApi(routes(), version)),
  });
}
