import { problem } from "../diagnostic/problem.ts";
import type { ServerContext } from "../mcp/server-context.ts";
import type { Authorise, Endpoint } from "./endpoint.ts";
import { type Route, refuse } from "./route.ts";

/** What a page of another origin can't send without being asked first, and we never say yes. */
export const ownHeader = "x-frond";

/** The API: its routes, below one path. */
export function apiAt(
  prefix: string,
  routes: readonly Route[],
  authorise: Authorise,
  context: ServerContext,
): Endpoint {
  const table = routes.map((route) => ({ route, match: compilePath(prefix + route.path) }));
  const closing = new AbortController();
  return {
    path: `${prefix}/*`,
    serves: "The API of the page",
    methods: ["GET", "POST"],
    authorise,
    checkHeaders({ method, headers }) {
      if (method !== "POST") return undefined;
      if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? "")) {
        return { status: 415, message: "Send JSON, with the header `Content-Type: application/json`." };
      }
      if (headers[ownHeader] !== undefined) return undefined;
      return { status: 403, message: `Send the header \`${ownHeader}: 1\`: a page of another origin can't.` };
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const found = table.flatMap(({ route, match }) => {
        const params = match(pathname);
        return params === undefined ? [] : [{ route, params }];
      });
      const chosen = found.find(({ route }) => route.method === request.method);
      if (chosen === undefined)
        return nothingThere(
          found.map(({ route }) => route.method),
          pathname,
        );
      const { route, params } = chosen;
      if (route.effect === "acts" && context.settings.isReadOnly) {
        return refuse(403, problem("read-only", "This server changes nothing: it was started with --read-only."));
      }
      const body = request.method === "POST" ? parseJson(await request.text()) : {};
      if (body === notJson) return refuse(400, problem("not-json", "The body is not JSON."));
      const isPerson = !request.headers.has("authorization");
      const answer = await route.answer(
        {
          params,
          query: Object.fromEntries(searchParams),
          body,
          signal: AbortSignal.any([request.signal, closing.signal]),
          visitor: { isPerson, name: isPerson ? "page" : "http" },
          lastEventId: request.headers.get("last-event-id") ?? undefined,
        },
        context,
      );
      answer.headers.set("cache-control", "no-store");
      answer.headers.set("x-content-type-options", "nosniff");
      return answer;
    },
    async close() {
      closing.abort();
    },
  };
}

function nothingThere(methods: readonly string[], path: string): Response {
  if (methods.length === 0) return refuse(404, problem("no-route", `There is nothing at ${path}.`));
  const answer = refuse(405, problem("no-method", `At ${path} there is only ${methods.join(", ")}.`));
  answer.headers.set("allow", methods.join(", "));
  return answer;
}

const notJson = Symbol("not JSON");

function parseJson(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}

type Params = Readonly<Record<string, string>>;

/** Finds out what stands in the place of the names of a path. */
function compilePath(path: string): (pathname: string) => Params | undefined {
  const names: string[] = [];
  const source = path
    .split("/")
    .slice(1)
    .map((segment) => {
      const [kind, name] = [segment[0], segment.slice(1)];
      if (kind === ":") names.push(name);
      if (kind === ":") return "/([^/]+)";
      if (kind === "*") names.push(name);
      if (kind === "*") return "(?:/(.*))?";
      return `/${segment.replaceAll(/[^\w-]/g, "\\$&")}`;
    })
    .join("");
  const pattern = new RegExp(`^${source}$`);
  return (pathname) => {
    const found = pattern.exec(pathname);
    if (found === null) return undefined;
    try {
      return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? "")]));
    } catch {
      return undefined;
    }
  };
}
