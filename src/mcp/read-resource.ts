import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { WordedDiagnostic } from "../diagnostic/diagnostic.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { workflowSchema } from "../library/json-schema.ts";
import { listRuns } from "../views/list-runs.ts";
import { readLogPage } from "../views/read-log-text.ts";
import { toReply } from "../views/reply.ts";
import { describeLibrary } from "./describe-library.ts";
import { describeNow } from "./describe-now.ts";
import { fitReply } from "./fit-reply.ts";
import { isReachable, reachRun } from "./reach-run.ts";
import { readPageRecord } from "./read-page-record.ts";
import { logTemplate, parseUri, runTemplate, schemaUri, workflowListUri, workflowTemplate } from "./resource-uris.ts";
import { readRunApp } from "./run-app.ts";
import type { ServerContext } from "./server-context.ts";
import { explainForModel } from "./word-advice.ts";

const knownForms = [workflowListUri, schemaUri, workflowTemplate, runTemplate, logTemplate];

export async function readResource(uri: string, context: ServerContext): Promise<ReadResourceResult> {
  const target = parseUri(uri);
  switch (target?.kind) {
    case "workflows":
      return json(uri, describeLibrary(context.openRuntime(context.settings.workspace).workflows));
    case "schema":
      return json(uri, workflowSchema(context.catalog));
    case "workflow":
      return text(uri, "application/yaml", readWorkflow(uri, target.name, context));
    case "run": {
      const described = await describeNow(await findRunFor(uri, target.id, context), "detailed", context);
      if (described.ok) return json(uri, fitReply(toReply(described.value), "detailed"));
      throw notFound(uri, explainForModel(described.error));
    }
    case "log":
      return text(uri, "text/plain", await readLog(uri, await findRunFor(uri, target.id, context), context));
    case "app": {
      const app = readRunApp(context);
      if (app !== undefined) return app;
      throw notFound(uri, { message: "This Frond was built without the page." });
    }
    case "page": {
      const record = await readPageRecord(await findRunFor(uri, target.id, context), target.record, context);
      if (record.ok) return json(uri, record.value);
      throw notFound(uri, explainForModel(record.error));
    }
    default: {
      const fix = suggestName(uri, knownForms, "resource");
      throw notFound(uri, { message: `There is no resource '${uri}'.`, fix });
    }
  }
}

function readWorkflow(uri: string, name: string, { openRuntime, settings }: ServerContext): string {
  const { workflows } = openRuntime(settings.workspace);
  const entry = workflows.library.find(name);
  const source = entry === undefined ? undefined : workflows.readSource(entry.file);
  if (source !== undefined && "text" in source) return source.text;
  const [problem] = source === undefined ? workflows.findByName(name).diagnostics : [source];
  throw notFound(
    uri,
    problem === undefined ? { message: `No workflow is named '${name}'.` } : explainForModel(problem),
  );
}

/** The id of a run that this server deals with. */
async function findRunFor(uri: string, id: string, context: ServerContext): Promise<string> {
  const run = await reachRun(id, context);
  if (run.ok) return run.value.runId;
  if (run.error.code !== "unknown-run") throw notFound(uri, explainForModel(run.error));
  const { runs } = await listRuns(context.platform, {
    limit: mostCompared,
    isWanted: (workspace) => isReachable(workspace, context),
  });
  const ids = runs.map(({ summary }) => summary.runId);
  throw notFound(uri, { message: run.error.message, fix: suggestName(id, ids, "run") });
}

const mostCompared = 500;

/** More than a model reads at once; what is longer is read piece by piece, by the tool that can. */
const mostLogCharacters = 100_000;

async function readLog(uri: string, runId: string, { platform, catalog }: ServerContext): Promise<string> {
  const page = await readLogPage(platform, catalog, runId, {}, { limit: mostLogCharacters });
  if (!page.ok) throw notFound(uri, explainForModel(page.error));
  const { text, shown: [first] = [1], lines, bytes } = page.value;
  if (Buffer.byteLength(text) === bytes) return text;
  const call = `get_run(${JSON.stringify({ run_id: runId, include: ["log"], offset: 0 })})`;
  return `[Lines ${first} to ${lines} of ${lines}; read those before with ${call}]\n${text}`;
}

function json(uri: string, data: object): ReadResourceResult {
  return text(uri, "application/json", JSON.stringify(data));
}

function text(uri: string, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] };
}

function notFound(
  uri: string,
  { message, fix }: Pick<WordedDiagnostic, "message" | "fix" | "advice">,
): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, fix === undefined ? message : `${message} ${fix}`);
}
