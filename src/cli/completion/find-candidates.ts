import type { Command, Option } from "commander";
import { peekDescription } from "../../library/library.ts";
import { toolsets } from "../../runs/server-settings.ts";
import { defined } from "../../util/defined.ts";
import { listedStatuses } from "../../views/list-runs.ts";
import type { CliContext } from "../context.ts";
import { mcpClients } from "../mcp-clients.ts";
import { type AskedWord, findAskedWord, nameOf, type ValueWord } from "./asked-word.ts";
import { type Candidate, type Candidates, noCandidates } from "./candidate.ts";
import { type Completer, completerOf } from "./completers.ts";
import { findInputs } from "./find-inputs.ts";
import { findBlocks, findCheckpoints, findRuns } from "./find-runs.ts";
import { type Question, workspaceOf } from "./question.ts";

/** Everything that the last of the words could be, whole words that begin as it does or not. Never asks, writes or starts anything. */
export async function findCandidates(
  program: Command,
  words: readonly string[],
  context: CliContext,
): Promise<Candidates> {
  const asked = findAskedWord(program, words);
  if (asked.kind === "value") return findValues(asked, words.at(-1) ?? "", context);
  if (asked.kind === "command") return { words: commandsOf(asked.command) };
  return asked.kind === "option" ? { words: optionsOf(asked) } : noCandidates;
}

function commandsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));
}

function optionsOf({ command, used }: Extract<AskedWord, { readonly kind: "option" }>): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !used.has(option) || option.variadic || mayRepeat(option))
    .map((option) => ({ value: nameOf(option), description: option.description }));
}

/** Of options whose values are collected, the program knows so only in words. */
const mayRepeat = ({ description }: Option): boolean => description.includes("may be repeated");

async function findValues(asked: ValueWord, typed: string, context: CliContext): Promise<Candidates> {
  const { command, of, before, given, orOption } = asked;
  const text = typed.slice(before.length);
  const completer = completerOf(command, of) ?? "none";
  const found =
    completer === "choices"
      ? { words: (of.argChoices ?? []).map((value) => ({ value })) }
      : await finders[completer]({ text, given, context });
  const options = orOption ? optionsOf({ kind: "option", command, used: new Set() }) : [];
  const whole = found.words.map(({ value, ...more }) => ({ value: before + value, ...more }));
  return { ...found, words: [...whole, ...options] };
}

type Find = (question: Question) => Candidates | Promise<Candidates>;

const files = ["yaml", "yml"].map((ending) => `.${ending}`);
const tests = files.map((ending) => `.test${ending}`);

const finders: Readonly<Record<Completer, Find>> = {
  none: () => noCandidates,
  files: () => ({ words: [], paths: { endings: [] } }),
  directories: () => ({ words: [], paths: {} }),
  "workflow-files": () => ({ words: [], paths: { endings: files } }),
  workflows: (question) => ({ words: workflowNames(question), paths: { endings: files } }),
  "workflow-names": (question) => ({ words: workflowNames(question) }),
  "workflow-names-with-commas": (question) => withCommas(question, workflowNames(question)),
  "test-files": (question) => ({ words: workflowNames(question), paths: { endings: tests } }),
  runs: (question) => findRuns(question, "all"),
  "open-runs": (question) => findRuns(question, "open"),
  "waiting-runs": async (question) => ({
    words: [...(await findRuns(question, "waiting")).words, ...(await findCheckpoints(question)).words],
  }),
  blocks: findBlocks,
  inputs: findInputs,
  checkpoints: findCheckpoints,
  tags: (question) => ({ words: tagsOf(question) }),
  clients: () => ({ words: mcpClients.map(({ name, title }) => ({ value: name, description: title })) }),
  "block-types": ({ context }) => ({
    words: context.openRuntime(".").workflows.catalog.names.map((value) => ({ value })),
  }),
  statuses: () => ({ words: listedStatuses.map((value) => ({ value })) }),
  "toolsets-with-commas": (question) =>
    withCommas(
      question,
      toolsets.map((value) => ({ value })),
    ),
};

function workflowNames(question: Question): readonly Candidate[] {
  const { workflows } = question.context.openRuntime(workspaceOf(question));
  const beginning = question.text.split(",").at(-1) ?? "";
  return workflows.library.entries().flatMap((entry) => {
    if (!entry.name.startsWith(beginning)) return [];
    // To parse them all would take most of the time.
    const said = peekDescription(entry.text) ?? entry.head()?.description;
    return [{ value: entry.name, ...defined({ description: said?.trim().split("\n")[0] }) }];
  });
}

function tagsOf(question: Question): readonly Candidate[] {
  const { workflows } = question.context.openRuntime(workspaceOf(question));
  const tags = workflows.library.entries().flatMap((entry) => entry.head()?.tags ?? []);
  return [...new Set(tags)].sort().map((value) => ({ value }));
}

/** Each name once, behind those that are there already. */
function withCommas({ text }: Question, names: readonly Candidate[]): Candidates {
  const there = text.split(",").slice(0, -1);
  const before = there.map((name) => `${name},`).join("");
  const free = names.filter(({ value }) => !there.includes(value));
  return { words: free.map(({ value, ...more }) => ({ value: before + value, ...more })) };
}
