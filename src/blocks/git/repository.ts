import { resolve } from "node:path";
import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import type { FilePlace } from "../../block/ports.ts";
import { OperationFailed } from "../files/file-operation.ts";
import { absolutePath, lookAt, shownPath } from "../files/places.ts";

export interface GitAnswer {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** What git says went wrong, in its own words. */
  readonly complaint: string;
}

const mostOutput = 1_000_000;

/** A git repository that a block works with, through the git that is installed. No shell reads what it is given. */
export class Repository {
  readonly #context: BlockContext;
  readonly #git: string;
  readonly #directory: string;

  private constructor(context: BlockContext, git: string, directory: string) {
    this.#context = context;
    this.#git = git;
    this.#directory = directory;
  }

  /** The repository that a place lies in. Fails where there is none. */
  static async open(context: BlockContext, place: FilePlace): Promise<Repository> {
    const git = context.environment.findProgram("git");
    if (git === undefined) throw new BlockCannotRun("There is no git on PATH. Install git to use worktrees.");
    const { kind } = await lookAt(context.files, place);
    if (kind === "missing") throw new OperationFailed(`there is no directory '${shownPath(place)}'`);
    if (kind === "file") throw new OperationFailed(`'${shownPath(place)}' is a file, not a directory`);
    return new Repository(context, git, absolutePath(place));
  }

  /** Where it keeps what all its worktrees share: whoever changes that is alone with it. */
  async sharedPlace(): Promise<FilePlace> {
    const answer = await this.ask("rev-parse", "--git-common-dir");
    if (!answer.succeeded) throw new OperationFailed(`'${this.#directory}': ${answer.complaint}`);
    return { root: "/", path: resolve(this.#directory, answer.stdout.trimEnd()).slice(1) };
  }

  /** Runs git without anybody seeing what it says. */
  ask(...args: readonly string[]): Promise<GitAnswer> {
    return this.#run(args, false);
  }

  /** Runs git to change something; what it says is in the block's log. */
  async change(...args: readonly string[]): Promise<void> {
    const { succeeded, complaint } = await this.#run(args, true);
    if (!succeeded) throw new OperationFailed(`git ${args.slice(0, 2).join(" ")}: ${complaint}`);
  }

  async #run(args: readonly string[], isLogged: boolean): Promise<GitAnswer> {
    const { processes, signal, runId, log } = this.#context;
    signal.throwIfAborted();
    const result = await processes.run({
      file: this.#git,
      args,
      cwd: this.#directory,
      env: environment(this.#context),
      stdin: "",
      maxOutput: mostOutput,
      capture: true,
      keepBackground: false,
      owner: runId,
      signal,
      ...(isLogged ? { onOutput: log } : {}),
    });
    if (!result.started) throw new BlockCannotRun(result.message);
    const { exitCode, stdout, stderr } = result;
    return { succeeded: exitCode === 0, stdout: stdout.text, complaint: complaintIn(stderr.text, exitCode) };
  }
}

/**
 * What commands inherit, without what tells git of another repository than the one it is run in. It speaks English, because
 * some of what it says is read, and asks nobody for passwords.
 */
function environment({ environment: { variables }, runId, idempotencyKey }: BlockContext): Record<string, string> {
  const inherited = Object.entries(variables).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(inherited),
    FROND_RUN_ID: runId,
    FROND_IDEMPOTENCY_KEY: idempotencyKey,
    LANGUAGE: "en",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** In one line, with the way out that git names, as a block would say it. */
function complaintIn(stderr: string, exitCode: number): string {
  const lines = stderr.trimEnd().split("\n");
  const line = lines.findLast((text) => /^(fatal|error): /.test(text)) ?? lines.at(-1) ?? "";
  const words = line.replace(/^(fatal|error): /, "") || `exit code ${exitCode}`;
  const complaint = words.replace(", use --force to delete it", "; `force: true` removes it all the same");
  const remedy = lines.find((text) => /^\tgit /.test(text));
  return remedy === undefined ? complaint : `${complaint}; \`${remedy.trim()}\` allows it`;
}
