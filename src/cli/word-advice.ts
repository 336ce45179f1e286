import type { Advice, AllowCommandsAdvice, TrustAdvice } from "../diagnostic/advice.ts";
import { quoteWord } from "../util/quote-word.ts";

/** What to type, for a person at a terminal. */
export function wordAdvice(advice: Advice): string | undefined {
  switch (advice.kind) {
    case "list-runs":
      return `${advice.nearest === undefined ? "" : `Did you mean '${advice.nearest}'? `}See \`frond runs --all\`.`;
    case "start-run":
      return "There are no runs yet: start one with `frond run NAME`; `frond list` shows the names.";
    case "choose-run": {
      const more = advice.count - advice.runIds.length;
      return `Say which: ${advice.runIds.join(", ")}${more > 0 ? `, and ${more} more` : ""}.`;
    }
    case "run-again":
      return `\`frond rerun ${advice.runId}\` makes a new run of it.`;
    case "give-text":
      return `\`frond rerun ${advice.runId} --frozen\` takes the text as it was, \`frond rerun ${advice.runId} --file FILE\` another one.`;
    case "end-run":
      return `Wait for its end with \`frond logs ${advice.runId} --follow\`, or end it with \`frond cancel ${advice.runId}\`.`;
    case "recover-runs":
      return "See `frond runs --all --status interrupted`; `frond recover` goes on with them.";
    case "give-up-run":
      return advice.hasEnded
        ? `${advice.remedy}.`
        : `${advice.remedy}, or end it with \`frond cancel ${advice.runId}\`.`;
    case "list-checkpoints":
      return "See `frond checkpoints`.";
    case "choose-question":
      return `Name one of: ${advice.checkpointIds.join(", ")}.`;
    case "give-no-answer":
      return `To go on with it, leave --response out: \`frond resume ${advice.runId}\`.`;
    case "let-person-answer":
      return `A person runs \`frond resume ${advice.checkpointId}\` in a terminal.`;
    case "list-workflows":
      return "`frond list` shows the workflows that can be called by name.";
    case "check-workflow":
      return `See \`frond validate ${quoteWord(advice.workflow, "posix")}\`.`;
    case "run-file":
      return `There is a file of that name: \`frond run ${quoteWord(advice.file, "posix")}\`.`;
    case "adopt-file":
      return `Run it as a file: \`frond run ${quoteWord(advice.file, "posix")}\`.`;
    case "trust-project":
      return wordTrust(advice);
    case "replace-file":
      return "Or replace it with --overwrite.";
    case "see-inputs":
      return `See \`frond info ${advice.workflow}\`.`;
    case "give-input":
      return `Add --input ${advice.input}=VALUE, or put it into --inputs FILE.`;
    case "write-input":
      return `Write it like \`--input ${advice.input}=${quoteWord(advice.sample, "posix")}\`.`;
    case "give-inputs-file":
      return advice.pair === undefined
        ? "Give --inputs a JSON or YAML file that maps input names to values."
        : `For a single input write \`--input ${quoteWord(advice.pair, "posix")}\`.`;
    case "allow-commands":
      return `Or start the server with ${allowCommandsOptions(advice)}.`;
    case "allow-unsafe":
      return "Or start the server without --no-unsafe.";
    case "set-secret":
      return undefined;
  }
}

function allowCommandsOptions({ workflow, workspace }: AllowCommandsAdvice): string {
  return `--allow ${workflow}${workspace === undefined ? "" : ` or --root ${workspace}`}`;
}

function wordTrust({ file, project, isKnown, isAskedFor, runId }: TrustAdvice): string {
  const directory = quoteWord(project, "posix");
  const look = isKnown ? `Look at the changes with \`frond trust --diff ${directory}\`` : `Read ${file}`;
  const name = runId === undefined ? `name the file itself: ${file}` : `add --file ${quoteWord(file, "posix")}`;
  const other = isAskedFor || runId !== undefined ? `, or ${name}` : "";
  return `${look}, then run \`frond trust ${directory}\`${other}.`;
}
