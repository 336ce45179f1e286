import type { Ports } from "../block/ports.ts";

export interface ScriptPlace {
  readonly ports: Ports;
  readonly workspace: string;
  /** Absolute path. */
  readonly bash: string;
  readonly signal: AbortSignal;
}

const maxOutput = 20_000;
/** Of a script that says nothing, such as `test a = b`, it is at least known where it ended. */
const tellFailure = `trap 'printf "failed: %s\\n" "$BASH_COMMAND" >&2' ERR; `;

/** Runs shell commands of a test in the workspace. What is wrong, when one of them fails. */
export async function runScript(script: string, place: ScriptPlace): Promise<string | undefined> {
  const { ports, workspace, bash, signal } = place;
  const result = await ports.processes.run({
    file: bash,
    args: ["-Eeuo", "pipefail", "-c", `${tellFailure}${script}`],
    cwd: workspace,
    env: ports.environment.variables,
    stdin: "",
    maxOutput,
    capture: true,
    // A setup may start what the workflow is to talk to; it goes with the case.
    keepBackground: true,
    owner: "test",
    signal,
  });
  if (!result.started) return result.message;
  if (result.exitCode === 0) return undefined;
  const said = [result.stdout.text, result.stderr.text].map((text) => text.trimEnd()).filter((text) => text !== "");
  return [`ended with exit code ${result.exitCode}`, ...said].join("\n");
}
