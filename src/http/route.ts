import * as z from "zod";
import { type Diagnostic, toData, wordDiagnostic } from "../diagnostic/diagnostic.ts";
import { explainIssue, issuePath } from "../diagnostic/explain-issues.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { once } from "../util/once.ts";
import { err, ok, type Result } from "../util/result.ts";
import { findFields } from "../views/page/field-problems.ts";
import type { PageContext } from "./page-context.ts";
import { wordAdvice } from "./word-advice.ts";

/** Who asks. */
export interface Visitor {
  /** Whether a person has opened the page; whoever shows the token may be a program. */
  readonly isPerson: boolean;
  /** For people: who did it. */
  readonly name: string;
}

/** A request for a route. */
export interface Asked<Query, Body> {
  /** What stands in the place of `:name` or `*name`, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Comes when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly visitor: Visitor;
  /** The last event of a stream that whoever asks has seen. */
  readonly lastEventId: string | undefined;
  /** The span of whoever asks, as W3C Trace Context writes it. */
  readonly traceParent: string | undefined;
  /** The kinds of answer that whoever asks can read, as the header says. */
  readonly accept: string;
}

/** A route of the API is one object: its path, its documentation, what it takes, gives and does. */
export interface Route {
  readonly method: "GET" | "POST";
  /** `:name` stands for one segment, `*name` at the end for all that are left, none included. */
  readonly path: string;
  /** What it does, in a line. */
  readonly summary: string;
  readonly description?: string;
  /** `acts` where it changes something: refused by a server that only reads. */
  readonly effect: "reads" | "acts";
  /** Only for whoever shows the token: a page that is open is not enough. */
  readonly isForToken?: true;
  /** It sends events until one side ends it. */
  readonly isStream?: true;
  readonly querySchema: () => z.ZodObject;
  readonly bodySchema: () => z.ZodObject;
  /** What it gives. */
  readonly answerSchema?: () => z.ZodType;
  answer(asked: Asked<unknown, unknown>, context: PageContext): Promise<Response>;
}

export interface RouteDefinition<Query extends z.ZodObject, Body extends z.ZodObject>
  extends Omit<Route, "querySchema" | "bodySchema" | "answerSchema" | "answer"> {
  query?(): Query;
  body?(): Body;
  gives?(): z.ZodType;
  /** A record becomes JSON. */
  answer(
    asked: Asked<z.output<Query>, z.output<Body>>,
    context: PageContext,
  ): Promise<Result<object, Diagnostic | readonly Diagnostic[]> | Response>;
}

const nothing: () => z.ZodObject = once(() => z.strictObject({}));

export function defineRoute<
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(definition: RouteDefinition<Query, Body>): Route {
  const { query, body, gives, answer, ...rest } = definition;
  const querySchema = query === undefined ? nothing : once(query);
  const bodySchema = body === undefined ? nothing : once(body);
  return {
    ...rest,
    querySchema,
    bodySchema,
    ...(gives === undefined ? {} : { answerSchema: once(gives) }),
    async answer(asked, context) {
      const checkedQuery = check(querySchema(), asked.query, "parameter");
      if (!checkedQuery.ok) return refuse(400, checkedQuery.error);
      const checkedBody = check(bodySchema(), asked.body, "field");
      if (!checkedBody.ok) return refuse(400, checkedBody.error);
      const given = await answer(
        { ...asked, query: checkedQuery.value as z.output<Query>, body: checkedBody.value as z.output<Body> },
        context,
      );
      if (given instanceof Response) return given;
      return given.ok ? Response.json(given.value) : refuseFor(given.error);
    },
  };
}

function check(schema: z.ZodObject, given: unknown, what: string): Result<unknown, Problem[]> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map((issue) =>
      issue.code === "unrecognized_keys"
        ? problem("unknown-argument", `There is no ${what} ${issue.keys.map((key) => `'${key}'`).join(", ")}.`)
        : problem("wrong-argument", `The ${what} ${wordPath(issue.path)}${explainIssue(issue)}.`),
    ),
  );
}

function wordPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "" : `'${issuePath(path).replace(/^\./, "")}' `;
}

/** What is not there, what can't be done now, and everything else that is wrong with a request. */
function statusOf(problems: Diagnostic | readonly Diagnostic[]): number {
  const [first] = errorsOf(problems);
  // What is wrong with a text is about the request, whatever the text names.
  const code = first?.range === undefined ? (first?.code ?? "") : "";
  if (/^(unknown|no)-(run|block|workflow|checkpoint|attempt)$/.test(code)) return 404;
  if (code === "out-of-reach" || code === "needs-a-person") return 403;
  if (code === "closing" || (code.startsWith("journal-") && code !== "journal-damaged-run")) return 503;
  return conflicts.test(code) ? 409 : 422;
}

const conflicts =
  /^(still-running|driven-elsewhere|left-to-workers|other-host|undo-running|run-ended|already-answered)/;

/** What else was found, such as warnings, is no reason to refuse anything. */
function errorsOf(problems: Diagnostic | readonly Diagnostic[]): readonly Diagnostic[] {
  return ([problems].flat() as readonly Diagnostic[]).filter(({ level }) => level === "error");
}

/** A refusal with the status that its first problem calls for. */
export function refuseFor(problems: Diagnostic | readonly Diagnostic[]): Response {
  return refuse(statusOf(problems), problems);
}

/** A server that ends is mostly followed by another one, and a database that is away mostly comes back. */
const retryAfterSeconds = 5;

/** The answer to what is refused: all that is wrong, with what to do in the words of the page. */
export function refuse(status: number, problems: Diagnostic | readonly Diagnostic[]): Response {
  const all = errorsOf(problems).map((found) => toData(wordDiagnostic(found, wordAdvice)));
  const [first] = all;
  const byField = findFields(all);
  const error = {
    code: first?.code ?? "refused",
    message: all.map(({ message }) => message).join(" "),
    ...(first?.fix === undefined ? {} : { fix: first.fix }),
    ...(byField.length < 2 && first?.line === undefined && byField[0]?.field === undefined
      ? {}
      : { problems: byField }),
  };
  const headers = status === 503 ? { "retry-after": String(retryAfterSeconds) } : {};
  return Response.json({ error }, { status, headers });
}
