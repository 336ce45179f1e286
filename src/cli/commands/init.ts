import { basename, dirname, join } from "node:path";
import { Option } from "commander";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import { type MadeFiles, makeFiles, makeProject, type NewFile } from "../../library/first-workflow/make-files.ts";
import { type FirstWorkflow, planFirstWorkflow } from "../../library/first-workflow/plan-first-workflow.ts";
import { projectKinds } from "../../library/first-workflow/project-kinds.ts";
import { schemaFiles } from "../../library/first-workflow/write-first-workflow.ts";
import { workflowSchema } from "../../library/json-schema.ts";
import type { LibraryEntry } from "../../library/library.ts";
import type { Workflows } from "../../library/workflows.ts";
import { testFileSchema } from "../../testing/test-schema.ts";
import { pathBelow } from "../../util/path-below.ts";
import { printableJson } from "../../util/printable-json.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { err, type Result } from "../../util/result.ts";
import { type ConfiguredAgent, configureAgent, type ProjectClient } from "../configure-agent.ts";
import { type AddCommand, badDirectory, type CliContext, exitCodes } from "../context.ts";
import { mcpClients } from "../mcp-clients.ts";
import { printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { askForChoice, askWhether } from "../prompts.ts";
import { sameDirectory } from "../same-directory.ts";
import { cleanLine, widthOf } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";
import { describeLaunch } from "./mcp-config.ts";

interface Options {
  readonly agent?: readonly string[];
  readonly template?: string;
  readonly yes?: true;
  readonly json?: true;
}

const projectClients = mcpClients.filter((client): client is ProjectClient => client.project !== undefined);
const none = "none";

export const addInitCommand: AddCommand = (program, context, end) => {
  program
    .command("init")
    .description(
      "make a first workflow that fits a project, with its test; in a terminal it asks which agent to tell of it",
    )
    .argument("[dir]", "project directory; it is made if it is missing", ".")
    .addOption(
      new Option("--agent <client...>", "let these agents use Frond in the project, by their file in it").choices([
        ...projectClients.map(({ name }) => name),
        none,
      ]),
    )
    .addOption(
      new Option("--template <name>", "the kind of workflow, instead of the first that fits").choices(
        projectKinds.map(({ name }) => name),
      ),
    )
    .option("-y, --yes", "ask nothing")
    .option("--json", "print one JSON document")
    .action(async (directory: string, options: Options) => end(await init(directory, options, context)));
};

async function init(directory: string, options: Options, context: CliContext): Promise<number> {
  const { terminal, platform } = context;
  const json = options.json === true;
  const isAsking = terminal.canAsk && !json && options.yes !== true;
  const found = await findProject(directory, options.template, context);
  if (!found.ok) return refuse([found.error], json, terminal);
  const project = found.value;
  const { workflows } = context.openRuntime(project);
  const own = ownWorkflows(project, workflows);
  const first = own.length > 0 ? undefined : await planFirstWorkflow(project, options.template, workflows, platform);
  if (own.length === 0 && first === undefined) return refuse([wrongTemplate(options.template ?? "")], json, terminal);
  const agents = options.agent ?? (isAsking ? await askForAgent(project, context) : []);
  if (agents === undefined) {
    terminal.writeError("Nothing was made.\n");
    return exitCodes.cancelled;
  }
  const files = [...(first?.files ?? []), ...sharedFiles(workflows)];
  const made = await makeFiles(project, files, platform);
  const outdated = made.problem === undefined ? await findOutdated(project, files, made, context) : [];
  const configured: ConfiguredAgent[] = [];
  const problems: Problem[] = made.problem === undefined ? [] : [made.problem];
  if (made.problem === undefined)
    for (const client of projectClients.filter(({ name }) => agents.includes(name))) {
      const done = await tellAgent(project, client, isAsking, context);
      if (done.ok) configured.push(done.value);
      else problems.push(done.error);
    }
  const next = nextCommands(directory, project, first ?? own[0], context);
  const report = { project, directory, first, own, made, outdated, configured, problems, next };
  if (json) printJson(describe(report), terminal);
  else print(report, context);
  return problems.length === 0 ? exitCodes.success : exitCodes.failure;
}

async function findProject(
  directory: string,
  template: string | undefined,
  { platform }: CliContext,
): Promise<Result<string, Problem>> {
  const real = platform.realDirectory(directory);
  if (real.ok) return real;
  const parent = platform.realDirectory(dirname(directory));
  const isThere = platform.realPath(directory) !== undefined;
  if (isThere || !parent.ok || [".", "..", ""].includes(basename(directory)))
    return err({ ...badDirectory(real.error, "Give the directory of a project."), level: "error" });
  // One that is new has nothing of any kind in it.
  if (template !== undefined && template !== projectKinds.at(-1)?.name) return err(wrongTemplate(template));
  return makeProject(directory, parent.value, platform);
}

/** Of the project itself, whether they are trusted or not. */
function ownWorkflows(project: string, { library }: Workflows): readonly LibraryEntry[] {
  const directory = join(project, ".frond", "workflows");
  return library.entries().filter(({ file }) => pathBelow(directory, file) !== undefined);
}

function wrongTemplate(name: string): Problem {
  const title = projectKinds.find((kind) => kind.name === name)?.title ?? name;
  return problem("wrong-template", `This is no ${title} project.`, "Leave --template out for one that fits.");
}

/** What editors read is made for this very version of Frond, so it is not committed. */
function sharedFiles({ catalog }: Workflows): readonly NewFile[] {
  const text = (schema: object): string => `${printableJson(schema, 2)}\n`;
  return [
    { path: ".frond/.gitignore", text: "# Made by `frond init`, for editors.\n/schema/\n" },
    { path: `.frond/schema/${schemaFiles.workflow}`, text: text(workflowSchema(catalog)) },
    { path: `.frond/schema/${schemaFiles.test}`, text: text(testFileSchema(catalog)) },
  ];
}

/** Schemas of another version of Frond, each with the command that renews it. */
async function findOutdated(
  project: string,
  files: readonly NewFile[],
  { kept }: MadeFiles,
  { platform }: CliContext,
): Promise<readonly string[]> {
  const outdated: string[] = [];
  for (const { path, text } of files.filter(({ path: one }) => kept.includes(one) && one.endsWith(".schema.json"))) {
    const read = await platform.files.read({ root: project, path }, 10_000_000);
    if (!("bytes" in read) || Buffer.from(read.bytes).toString() === text) continue;
    const command = path.endsWith(schemaFiles.test) ? "frond schema --tests" : "frond schema";
    outdated.push(`${command} > ${quoteWord(join(project, path), "posix")}`);
  }
  return outdated;
}

async function askForAgent(project: string, context: CliContext): Promise<readonly string[] | undefined> {
  const listed = await context.platform.files.list({ root: project, path: "" });
  const names = "kind" in listed ? [] : listed;
  const used = projectClients.find((client) => client.project.marks.some((mark) => names.includes(mark)));
  const choices = [
    ...projectClients.map(({ name, title, project: { path } }) => ({ value: name, label: `${title} (${path})` })),
    { value: none, label: none },
  ];
  const first = choices.findIndex(({ value }) => value === (used?.name ?? none));
  const answer = await askForChoice("Which agent is to use Frond in this project?", choices, context, first);
  return answer === undefined ? undefined : [String(answer)];
}

async function tellAgent(
  project: string,
  client: ProjectClient,
  isAsking: boolean,
  context: CliContext,
): Promise<Result<ConfiguredAgent, Problem>> {
  const launch = describeLaunch(client, [], {}, context);
  if (!launch.ok) return launch;
  const mayReplace = async (file: string): Promise<boolean> =>
    isAsking && (await askWhether(`${file} starts another Frond. Replace that with this one?`, context));
  return configureAgent(project, client, launch.value, mayReplace, context);
}

interface Report {
  /** As it was given. */
  readonly directory: string;
  readonly project: string;
  /** Nothing when there are workflows already. */
  readonly first: FirstWorkflow | undefined;
  readonly own: readonly LibraryEntry[];
  readonly made: MadeFiles;
  /** Commands that renew what is of another version. */
  readonly outdated: readonly string[];
  readonly configured: readonly ConfiguredAgent[];
  readonly problems: readonly Problem[];
  readonly next: NextCommands;
}

function describe(report: Report): object {
  const { project, first, made, configured, problems, outdated, next } = report;
  const filesThat = (done: ConfiguredAgent["done"]): readonly string[] =>
    configured.filter((agent) => agent.done === done).map(({ file }) => file);
  return {
    directory: project,
    ...(first === undefined ? {} : { workflow: first.name, template: first.kind.name, missing: first.missing }),
    made: [...made.made, ...filesThat("made")],
    changed: filesThat("changed"),
    kept: [...made.kept, ...filesThat("kept")],
    differing: configured.filter(({ differs }) => differs).map(({ file }) => file),
    trusted: made.trusted,
    ...(outdated.length === 0 ? {} : { renew: outdated }),
    ...(problems.length === 0 ? { next } : { errors: problems.map(withoutLevel) }),
  };
}

const withoutLevel = ({ code, message, fix }: Problem): object => ({ code, message, ...(fix && { fix }) });

function print(report: Report, context: CliContext): void {
  const { project, first, own, made, outdated, configured, problems, directory } = report;
  const { terminal } = context;
  const rows = shortened([...made.made, ...configured.filter(({ done }) => done !== "kept").map(({ file }) => file)]);
  const width = Math.max(0, ...rows.map(widthOf));
  const kind = first?.steps.knownBy === undefined ? "" : `, for ${first.kind.title} (${first.steps.knownBy})`;
  const columns = terminal.isInteractive ? terminal.columns : Number.POSITIVE_INFINITY;
  const lines = rows.flatMap((path) => {
    const indents = { first: `  ${path}${" ".repeat(width - widthOf(path))}  ` };
    return wrapWords(about(path, report), columns, indents);
  });
  if (lines.length > 0) lines.unshift(`Made in ${cleanLine(project)}${kind}:`);
  const kept = shortened([...made.kept, ...configured.filter(({ done }) => done === "kept").map(({ file }) => file)]);
  if (own.length > 0) lines.push(`It has workflows already: ${own.map(({ name }) => cleanLine(name)).join(", ")}.`);
  if (kept.length > 0) lines.push(`Left as they are: ${kept.join(", ")}.`);
  for (const file of configured.filter(({ differs }) => differs).map((agent) => agent.file))
    lines.push(`${file} starts another Frond, and still does.`);
  for (const command of outdated) lines.push(`A schema is of another version of Frond. Renew it: ${command}`);
  if (first !== undefined && first.otherKinds.length > 0)
    lines.push(`It could also be: ${first.otherKinds.map((name) => `--template ${name}`).join(", ")}.`);
  for (const lack of first?.missing ?? [])
    lines.push(`${paint("Missing:", "yellow", terminal.colour)} ${cleanLine(lack)}`);
  if (!made.trusted && made.problem === undefined)
    lines.push(
      `It is not trusted, because it belongs to another user. See \`frond trust --diff${sameDirectory(directory)}\`.`,
    );
  terminal.write(lines.map((line) => `${line}\n`).join(""));
  if (problems.length > 0) return printDiagnostics(problems, terminal);
  const commands = Object.values(report.next);
  terminal.write(`${lines.length === 0 ? "" : "\n"}Next:\n${commands.map((one) => `  ${cleanLine(one)}\n`).join("")}`);
}

const schemaDirectory = ".frond/schema/";

function shortened(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => (path.startsWith(schemaDirectory) ? schemaDirectory : path)))];
}

function about(path: string, { first, configured }: Report): string {
  const [workflow, test] = first?.files ?? [];
  if (path === workflow?.path) return first?.steps.steps.map(({ id }) => id).join(", ") ?? "";
  if (path === test?.path) return "its test";
  if (path === schemaDirectory) return "lets editors complete and check workflows";
  const agent = projectClients.find(({ project }) => project.path === path);
  if (agent === undefined) return "keeps the schemas out of commits";
  const done = configured.find(({ file }) => file === path)?.done === "changed" ? ", beside what it had" : "";
  return `lets ${agent.title} start Frond${done}; holds paths of this machine`;
}

interface NextCommands {
  readonly run: string;
  readonly test: string;
  readonly edit: string;
}

/** Each as it is typed where `frond init` was. */
function nextCommands(
  directory: string,
  project: string,
  workflow: FirstWorkflow | LibraryEntry | undefined,
  { platform }: CliContext,
): NextCommands {
  const { name, path, hasTest } = locate(project, workflow, platform);
  const file = quoteWord(directory === "." ? path : join(directory, path), "posix");
  const { VISUAL, EDITOR } = platform.environment.variables;
  const test = directory === "." ? quoteWord(name, "posix") : file;
  return {
    run: `frond run ${quoteWord(name, "posix")}${sameDirectory(directory, "--workspace")}`,
    // Somebody's own workflow may have no test.
    test: hasTest ? `frond test ${test}` : `frond validate ${file}`,
    edit: `${VISUAL || EDITOR || "vi"} ${file}`,
  };
}

function locate(
  project: string,
  workflow: FirstWorkflow | LibraryEntry | undefined,
  platform: CliContext["platform"],
): { readonly name: string; readonly path: string; readonly hasTest: boolean } {
  if (workflow === undefined) return { name: "", path: "", hasTest: false };
  if ("files" in workflow) return { name: workflow.name, path: workflow.files[0].path, hasTest: true };
  const { name, file } = workflow;
  const path = pathBelow(project, file) ?? file;
  return { name, path, hasTest: platform.realPath(file.replace(/(?=\.ya?ml$)/, ".test")) !== undefined };
}
