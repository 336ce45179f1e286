import { resolve } from "node:path";
import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { absolutePath, shownPath } from "../../block/rooted-path.ts";
import { lookAt } from "../files/entries.ts";
import { OperationFailed } from "../files/file-operation.ts";
import { settingsFor } from "./foreign-repository.ts";
import { gitRequest, withoutRepository } from "./git-request.ts";
import { asVariables, type GitSetting, noImplicitRepository } from "./git-settings.ts";

export interface GitAnswer {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** False when it said more than is read. */
  readonly isWhole: boolean;
  /** What git says went wrong, in its own words. */
  readonly complaint: string;
}

const mostOutput = 1_000_000;

/** How git is run otherwise than in the repository's directory. */
export interface GitOptions {
  /** Run there, with this as the repository: nothing is looked for on the way up, and git does not go elsewhere. */
  readonly worktree?: { readonly at: RootedPath; readonly gitDirectory: string };
  /** The worktree that is removed, also where a sandbox guards those of the repository. */
  readonly removed?: string;
}

/** A git repository that a block works with, through the git that is installed. No shell reads what it is given. */
export class Repository {
  readonly #context: BlockContext;
  readonly #git: string;
  readonly #at: RootedPath;
  readonly #settings: readonly GitSetting[];

  private constructor(context: BlockContext, git: string, at: RootedPath, settings: readonly GitSetting[]) {
    this.#context = context;
    this.#git = git;
    this.#at = at;
    this.#settings = settings;
  }

  /** The repository that a path lies in. Fails where there is none. */
  static async open(context: BlockContext, at: RootedPath): Promise<Repository> {
    const git = context.environment.findProgram("git");
    if (git === undefined) throw new BlockCannotRun("There is no git on PATH. Install git to use worktrees.");
    const { kind } = await lookAt(context.files, at);
    if (kind === "missing") throw new OperationFailed(`there is no directory '${shownPath(at)}'`);
    if (kind === "file") throw new OperationFailed(`'${shownPath(at)}' is a file, not a directory`);
    return new Repository(context, git, at, await settingsFor(context, at));
  }

  /** Where it keeps what all its worktrees share: whoever changes that is alone with it. */
  async sharedPlace(): Promise<RootedPath> {
    const answer = await this.ask("rev-parse", "--git-common-dir");
    const directory = absolutePath(this.#at);
    if (!answer.succeeded) throw new OperationFailed(`'${directory}': ${answer.complaint}`);
    return { root: "/", path: resolve(directory, answer.stdout.trimEnd()).slice(1) };
  }

  /** Runs git without anybody seeing what it says. */
  ask(...args: readonly string[]): Promise<GitAnswer> {
    return this.#run(args, false, {});
  }

  /** The same in a worktree. */
  askIn(worktree: NonNullable<GitOptions["worktree"]>, ...args: readonly string[]): Promise<GitAnswer> {
    return this.#run(args, false, { worktree });
  }

  /** Runs git to change something; what it says is in the block's log. */
  async change(args: readonly string[], options: GitOptions = {}): Promise<void> {
    const { succeeded, complaint } = await this.#run(args, true, options);
    if (!succeeded) throw new OperationFailed(`git ${args.slice(0, 2).join(" ")}: ${complaint}`);
  }

  async #run(args: readonly string[], isLogged: boolean, { worktree, removed }: GitOptions): Promise<GitAnswer> {
    const { processes, signal, log, sandbox, workspace } = this.#context;
    signal.throwIfAborted();
    const at = worktree?.at ?? this.#at;
    const env = {
      ...environment(this.#context),
      ...asVariables([noImplicitRepository, ...this.#settings]),
      ...(this.#settings.length === 0 ? {} : noTransport),
      ...(worktree === undefined ? {} : { GIT_DIR: worktree.gitDirectory, GIT_WORK_TREE: "." }),
    };
    const result = await processes.run({
      ...gitRequest(this.#context, at, { file: this.#git, args, env, maxOutput: mostOutput }),
      ...(removed === undefined || sandbox === undefined
        ? {}
        : { sandbox: { ...sandbox, workspace, freeWorktree: removed } }),
      ...(isLogged ? { onOutput: log } : {}),
    });
    if (!result.started) throw new BlockCannotRun(result.message);
    const { exitCode, stdout, stderr } = result;
    const complaint = complaintIn(stderr.text, exitCode);
    return { succeeded: exitCode === 0, stdout: stdout.text, isWhole: !stdout.truncated, complaint };
  }
}

/** What git may fetch with in another repository, missing objects of a partial clone for example: nothing has this name. */
const noTransport = { GIT_ALLOW_PROTOCOL: "none" };

/** It speaks English, because some of what it says is read, and asks nobody for passwords. */
function environment(context: BlockContext): Record<string, string> {
  return {
    ...withoutRepository(context),
    FROND_RUN_ID: context.runId,
    FROND_IDEMPOTENCY_KEY: context.idempotencyKey,
    LANGUAGE: "en",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** In one line, with the way out that git names, as a block would say it. */
function complaintIn(stderr: string, exitCode: number): string {
  const lines = stderr.trimEnd().split("\n");
  const line = lines.findLast((text) => /^(fatal|error): /.test(text)) ?? lines.at(-1) ?? "";
  const complaint = line.replace(/^(fatal|error): /, "") || `exit code ${exitCode}`;
  const remedy = lines.find((text) => /^\tgit /.test(text));
  return remedy === undefined ? complaint : `${complaint}; \`${remedy.trim()}\` allows it`;
}
