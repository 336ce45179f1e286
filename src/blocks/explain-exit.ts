import type { ProcessResult } from "../block/ports.ts";

const longestReason = 300;

/** How a command that failed has ended, with the line of its stderr that says most. */
export function explainExit({ exitCode, signal, stderr }: ProcessResult & { readonly started: true }): string {
  const how = signal === null ? `exit code ${exitCode}` : `ended by ${signal} (exit code ${exitCode})`;
  const line = tellingLine(stderr.text);
  if (line === "") return how;
  return `${how}: ${line.length > longestReason ? `${line.slice(0, longestReason)}...` : line}`;
}

/** The last line that speaks of an error, for some programs end with a stack or their version; else the last line. */
function tellingLine(stderr: string): string {
  const lines = stderr.trimEnd().split("\n").slice(-mostLinesRead);
  const telling = lines.findLast((line) =>
    /error|exception|fatal|panic|fail|denied|not found|cannot|can't/i.test(line),
  );
  return (telling ?? lines.at(-1) ?? "").trim();
}

const mostLinesRead = 40;
