import * as z from "zod";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { explainIssue, issuePath } from "../diagnostic/explain-issues.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { ValueMap } from "../expression/value.ts";
import { anyItem } from "../library/plain-schema.ts";
import type { Toolset } from "../runs/server-settings.ts";
import { once } from "../util/once.ts";
import type { Call } from "./call.ts";
import { refuse, type ToolReply } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool is one object: its name, its documentation, what it takes and what it does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What it does, when to call it, and what to call next. */
  readonly description: string;
  readonly toolset: Toolset;
  readonly effect: Effect;
  /** What is known of its effect beyond that. */
  readonly hints?: Hints;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** It runs or keeps workflows that the client sends as text. */
  readonly takesText?: boolean;
  /** What is offered in its place where no text may be sent. */
  readonly withoutText?: Tool;
  /** Its reply is how a run stands, which some clients show as a view. */
  readonly repliesWithRun?: true;
  /** Whether a client that takes no tasks can't call it. */
  readonly needsTask?: true;
  call(args: ValueMap, call: Call, context: ServerContext): Promise<ToolReply>;
}

/**
 * What a call does to the world: `reads` changes nothing, `steers` changes runs or workflows that there are, `runs` lets a workflow
 * do whatever it does.
 */
export type Effect = "reads" | "steers" | "runs";

export interface Hints {
  /** Whether it can change or remove what there was before. */
  readonly destructiveHint: boolean;
  /** Whether it can reach beyond this machine. */
  readonly openWorldHint: boolean;
}

export interface ToolDefinition<Parameters extends z.ZodObject> extends Omit<Tool, "inputSchema" | "call"> {
  /** Asked for once, and only when the tool is listed or called: a server answers sooner without them. */
  parameters(): Parameters;
  call(args: z.output<Parameters>, call: Call, context: ServerContext): Promise<ToolReply>;
}

export function defineTool<Parameters extends z.ZodObject>(definition: ToolDefinition<Parameters>): Tool {
  const { parameters: make, ...rest } = definition;
  const parameters = once(make);
  return {
    ...rest,
    get inputSchema() {
      return parameterSchema(parameters());
    },
    async call(args, call, context) {
      const { shape } = parameters();
      const parsed = parameters().safeParse(withUsualNames(args, shape));
      if (parsed.success) return definition.call(parsed.data, call, context);
      return refuse(...parsed.error.issues.flatMap((issue) => explainArgument(issue, args, definition.name, shape)));
    },
  };
}

/** Names that parameters had in the tools these go back to, each with the one that it has in all tools now. */
const earlierNames: Readonly<Record<string, string>> = { workflow_name: "workflow", yaml_content: "workflow_yaml" };

function withUsualNames(args: ValueMap, shape: z.core.$ZodShape): ValueMap {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const usual = Object.hasOwn(shape, name) ? undefined : earlierNames[name];
      const isTaken = usual === undefined || !Object.hasOwn(shape, usual) || Object.hasOwn(args, usual);
      return [isTaken ? name : usual, value];
    }),
  );
}

function parameterSchema(parameters: z.ZodObject): JsonSchema {
  const { $schema: _, additionalProperties: __, ...schema } = z.toJSONSchema(parameters, { io: "input" });
  return inPlainWords(schema) as JsonSchema;
}

/**
 * The same in words that every client understands: some take one type at a time only, no empty schemas, and no list without a word
 * about its items.
 */
function inPlainWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inPlainWords);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, propertyNames: _, ...rest } = schema as Record<string, unknown>;
  const told = Object.entries(rest).filter(([key, value]) => !isMatterOfCourse(key, value));
  const plain = Object.fromEntries(told.map(([key, value]) => [key, inPlainWords(value)]));
  if (isEmpty(plain.additionalProperties)) plain.additionalProperties = true;
  if (Array.isArray(type)) return { ...plain, anyOf: type.map((one) => inPlainWords({ type: one })) };
  if (type === "array") plain.items ??= anyItem;
  return type === undefined ? plain : { type, ...plain };
}

/** Nobody gives an empty name or a number beyond all bounds, and every client pays for each word. */
function isMatterOfCourse(key: string, value: unknown): boolean {
  return (key === "minLength" && value === 1) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER);
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;
}

function explainArgument(issue: z.core.$ZodIssue, args: ValueMap, tool: string, shape: z.core.$ZodShape): Problem[] {
  if (issue.code === "unrecognized_keys" && issue.path.length === 0) {
    return issue.keys.map((key) =>
      problem(
        "unknown-argument",
        `${tool} has no argument '${key}'.`,
        suggestName(key, Object.keys(shape), "argument"),
      ),
    );
  }
  const [name, ...rest] = issue.path;
  const given = args[String(name)];
  const place = `'${String(name)}'${issuePath(rest)}`;
  if (given === undefined) {
    return [problem("missing-argument", `${tool} needs the argument ${place}.`, describeShape(shape))];
  }
  const isText = issue.code === "invalid_type" && rest.length === 0 && typeof given === "string";
  const message = `The argument ${place} of ${tool} ${explainIssue(issue)}${isText ? ", not a text" : ""}.`;
  return [problem("wrong-argument", message, isText ? "Give the value itself, not its JSON as a text." : undefined)];
}

function describeShape(shape: z.core.$ZodShape): string {
  const names = Object.entries(shape).map(([name, type]) => (isOptional(type) ? `${name}?` : name));
  return `It takes: ${names.join(", ")}.`;
}

function isOptional(type: z.core.$ZodType): boolean {
  return z.safeParse(type, undefined).success;
}
