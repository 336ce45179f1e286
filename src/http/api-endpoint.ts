import { problem } from "../diagnostic/problem.ts";
import { explainFailure } from "../runs/explain-failure.ts";
import type { Authorise, Endpoint, Refusal } from "./endpoint.ts";
import { notJsonType } from "./not-json-type.ts";
import type { PageContext } from "./page-context.ts";
import { type Route, refuse, refuseFor } from "./route.ts";

/** What a page of another origin can't send without being asked first, and we never say yes. */
export const ownHeader = "x-frond";

/** The API: its routes, below one path. */
export function apiAt(prefix: string, routes: readonly Route[], authorise: Authorise, context: PageContext): Endpoint {
  const table = inOrder(routes).map((route) => ({ route, match: compilePath(prefix + route.path) }));
  return {
    path: `${prefix}/*`,
    serves: "The API of the page",
    methods: ["GET", "POST"],
    authorise,
    checkHeaders({ method, headers }) {
      if (method !== "POST") return undefined;
      if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? "")) return notJsonType;
      return headers[ownHeader] === undefined ? noOwnHeader : undefined;
    },
    async fetch(request, over) {
      const { pathname, searchParams } = new URL(request.url);
      const found = table.flatMap(({ route, match }) => {
        const params = match(pathname);
        return params === undefined ? [] : [{ route, params }];
      });
      const chosen = found.find(({ route }) => route.method === request.method);
      if (chosen === undefined) return nothingThere(found, pathname);
      const { route, params } = chosen;
      // Whoever came in without a token has shown the cookie.
      const isPerson = !request.headers.has("authorization");
      if (route.effect === "acts" && context.settings.isReadOnly) return refuse(403, readOnly);
      if (route.isForToken && isPerson) return refuse(403, tokenOnly);
      const body = request.method === "POST" ? parseJson(await request.text()) : {};
      if (body === notJson) return refuse(400, problem("not-json", "The body is not JSON."));
      if (body === badName)
        return refuse(400, problem("wrong-argument", "No field and no input can be named `__proto__`."));
      const asked = {
        params,
        query: Object.fromEntries(searchParams),
        body,
        signal: over,
        visitor: { isPerson, name: isPerson ? "web page" : "http" },
        lastEventId: request.headers.get("last-event-id") ?? undefined,
        traceParent: request.headers.get("traceparent") ?? undefined,
        accept: request.headers.get("accept") ?? "",
      };
      const answer = await answerOrExplain(route, asked, context);
      answer.headers.set("cache-control", "no-store");
      return answer;
    },
    refuse: ({ status, code, message }) => refuse(status, problem(code, message)),
  };
}

/** What the journal can't do now is a reason to ask again, and no fault of Frond. */
async function answerOrExplain(
  route: Route,
  asked: Parameters<Route["answer"]>[0],
  context: PageContext,
): Promise<Response> {
  try {
    return await route.answer(asked, context);
  } catch (error) {
    const failure = explainFailure(error);
    if (failure === undefined) throw error;
    return refuseFor(failure);
  }
}

const noOwnHeader: Refusal = {
  status: 403,
  code: "no-own-header",
  message: `Send the header \`${ownHeader}: 1\`: a page of another origin can't.`,
};
const readOnly = problem("read-only", "This server changes nothing: it was started with --read-only.");
const tokenOnly = problem(
  "token-only",
  "This is only for those who show the token: send `Authorization: Bearer TOKEN`.",
);

function nothingThere(others: readonly { readonly route: Route }[], path: string): Response {
  if (others.length === 0)
    return refuse(
      404,
      problem("no-route", `The API has no address ${path}.`, "GET /api/openapi.json lists those that it has."),
    );
  const methods = others.map(({ route }) => route.method).join(", ");
  const answer = refuse(405, problem("no-method", `At ${path} there is only ${methods}.`));
  answer.headers.set("allow", methods);
  return answer;
}

const notJson = Symbol("not JSON");
const badName = Symbol("a name that objects can't have");

function parseJson(text: string): unknown {
  if (text === "") return {};
  let hasBadName = false;
  try {
    // Whoever copies an object leaves such a field out, and what somebody gave would be gone without a word.
    const parsed: unknown = JSON.parse(text, (key, value: unknown) => {
      hasBadName ||= key === "__proto__";
      return value;
    });
    return hasBadName ? badName : parsed;
  } catch {
    return notJson;
  }
}

/** What is said more exactly comes first, wherever it stands in the list: `/runs/events` before `/runs/:run`. */
function inOrder(routes: readonly Route[]): Route[] {
  const rank = ({ path }: Route): string =>
    path.replaceAll(/[^/]+/g, ([first]) => ({ ":": "b", "*": "c" })[first ?? ""] ?? "a");
  return [...routes].sort((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0));
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
