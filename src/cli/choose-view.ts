import type { RunEvent } from "../engine/events.ts";
import { PassNames, withElement } from "../views/pass-names.ts";
import type { CliContext } from "./context.ts";
import type { ShowOptions } from "./drive-run.ts";
import { LiveView } from "./live-view.ts";
import type { LogsOptions } from "./options/logs-options.ts";
import { BlockOutput, groupSink, mixedSink, type OutputSink } from "./output/block-output.ts";
import { LineBatch } from "./output/line-batch.ts";
import { reportingToCi } from "./output/report-to-ci.ts";
import { PlainView } from "./plain-view.ts";
import { type RunView, silentView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";

/** A person sees no difference. */
const batchMs = 20;
/** Above a tree each write draws it again. */
const batchAboveTreeMs = 60;

/** How a run is shown: as a tree to a person, in lines to everybody else, and with --json not at all; what its blocks write is asked for beside that. */
export function chooseView(options: ShowOptions, context: CliContext): RunView {
  return reportingToCi(chooseOwnView(options, context.terminal), options.json === true, context);
}

function chooseOwnView({ json, logs = "auto" }: ShowOptions, terminal: Terminal): RunView {
  if (json) {
    // The document alone goes to stdout; whoever asks for the output all the same gets it beside that.
    const batch = new LineBatch((text) => terminal.writeError(text), batchMs);
    const output = logs === "auto" ? undefined : outputOf(logs, mixedSink(batch, terminal.errorColour));
    return output === undefined ? silentView : withOutput(silentView, output, batch);
  }
  const batch = new LineBatch((text) => terminal.write(text), terminal.isInteractive ? batchAboveTreeMs : batchMs);
  const { github, colour } = terminal;
  if (!terminal.isInteractive) {
    const names = new PassNames();
    const titleOf = (path: string): string => withElement(path, names.elementOf(path));
    const sink = github === undefined ? mixedSink(batch, colour) : groupSink(batch, github, colour, titleOf);
    return new PlainView(batch, names, outputOf(plainLogs(logs), sink));
  }
  const view = new LiveView(terminal);
  const output = logs === "auto" ? undefined : outputOf(logs, mixedSink(batch, colour));
  return output === undefined ? view : withOutput(view, output, batch);
}

/** What blocks of a run write that is shown beside others, each line with the names of both. */
export function outputOfMany(
  { logs = "auto", json }: ShowOptions,
  nameOf: (path: string) => string,
  terminal: Terminal,
): RunView {
  const batch = new LineBatch((text) => (json ? terminal.writeError(text) : terminal.write(text)), batchMs);
  const wanted = json || terminal.isInteractive ? logs : plainLogs(logs);
  const output = outputOf(wanted, mixedSink(batch, json ? terminal.errorColour : terminal.colour), nameOf);
  return output === undefined ? silentView : withOutput(silentView, output, batch);
}

type Logs = NonNullable<LogsOptions["logs"]>;

function plainLogs(logs: Logs): Logs {
  return logs === "auto" ? "all" : logs;
}

function outputOf(logs: Logs, sink: OutputSink, nameOf?: (path: string) => string): BlockOutput | undefined {
  if (logs === "none" || logs === "auto") return undefined;
  return new BlockOutput(sink, { of: logs, ...(nameOf === undefined ? {} : { nameOf }) });
}

/** The same view, and above it what blocks write. */
function withOutput(view: RunView, output: BlockOutput, batch: LineBatch): RunView {
  return {
    begin: (run, hint) => view.begin(run, hint),
    onEvents(events: readonly RunEvent[]) {
      for (const event of events) output.before(event);
      batch.flush();
      view.onEvents(events);
    },
    onOutput(path, stream, chunk) {
      output.onOutput(path, stream, chunk);
      view.onOutput(path, stream, chunk);
    },
    say(message, style) {
      batch.flush();
      view.say(message, style);
    },
    watch: (watcher) => view.watch(watcher),
    show: (panel) => view.show(panel),
    async end() {
      output.end();
      batch.flush();
      await view.end();
    },
    isInSight: (block) => output.isInSight(block),
  };
}
