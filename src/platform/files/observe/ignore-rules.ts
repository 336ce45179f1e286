import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { nameOf, systemPath } from "../file-paths.ts";
import { type GitProgram, startGit } from "./git-program.ts";
import { isPresent } from "./look-at-file.ts";
import { gitName } from "./surroundings.ts";

/** Why a path is ignored. */
export interface IgnoreMatch {
  /** Absolute path of the file that says so. */
  readonly source: string;
  /** From 1. */
  readonly line: number;
  readonly pattern: string;
}

/** Which paths a repository ignores, told by one git that is asked again and again. Tracked ones are never ignored. */
export class IgnoreRules {
  readonly #program: GitProgram;
  readonly #cwd: string;
  /** Of the paths that are asked for, what lies above the directory git runs in. */
  readonly #prefix: string;
  #running: Answers | undefined;
  #failures = 0;
  /** Git tells where rules stand as seen from there. */
  #top: string | undefined;

  constructor(program: GitProgram, workspace: string, directory: string) {
    this.#program = program;
    this.#cwd = directory === "" ? workspace : `${workspace}/${directory}`;
    this.#prefix = directory === "" ? "" : `${directory}/`;
  }

  /** Those of the paths that are ignored. Where git can't tell, nothing is. */
  async ignored(paths: readonly string[]): Promise<ReadonlyMap<string, IgnoreMatch>> {
    const ignored = new Map<string, IgnoreMatch>();
    for (let at = 0; at < paths.length && this.#failures < mostFailures; ) {
      this.#running ??= new Answers(startGit(this.#program, { cwd: this.#cwd }, checkIgnore));
      const asked = paths.slice(at, at + pathsAtOnce);
      // So that no name is taken for one of git's special words.
      const answers = await this.#running.ask(asked.map((path) => `./${path.slice(this.#prefix.length)}`));
      for (const [index, match] of answers.entries()) {
        if (match === undefined) continue;
        this.#top ??= topOf(this.#cwd);
        ignored.set(asked[index] as string, { ...match, source: resolve(this.#top, match.source) });
      }
      at += answers.length;
      if (answers.length === asked.length) continue;
      // Git gives up at a path that it won't judge, such as one in a submodule, and says nothing about the rest.
      at++;
      this.#failures++;
      this.#running = undefined;
    }
    return ignored;
  }

  close(): void {
    this.#running?.end();
    this.#running = undefined;
  }
}

/** Where the repository begins that a directory lies in. */
function topOf(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (isPresent(join(at, gitName))) return at;
    if (at === dirname(at)) return directory;
  }
}

const checkIgnore = ["check-ignore", "--stdin", "-z", "--verbose", "--non-matching"];
const pathsAtOnce = 5_000;
const mostFailures = 20;
/** Source, line, pattern and path, each with a NUL behind it. */
const wordsPerAnswer = 4;

class Answers {
  readonly #child: ChildProcessWithoutNullStreams;
  #rest: Buffer = Buffer.alloc(0);
  #words: string[] = [];
  #hasEnded = false;
  #heard: () => void = () => {};

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    const end = (): void => {
      this.#hasEnded = true;
      this.#heard();
    };
    child.stdout.on("data", (piece: Buffer) => this.#read(piece));
    child.on("error", end);
    child.on("close", end);
  }

  /** Fewer than asked for when git ends before. */
  async ask(paths: readonly string[]): Promise<(IgnoreMatch | undefined)[]> {
    this.#words = [];
    this.#child.stdin.write(Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), nul])));
    while (this.#words.length < paths.length * wordsPerAnswer && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    const answers: (IgnoreMatch | undefined)[] = [];
    for (let at = 0; at + wordsPerAnswer <= this.#words.length; at += wordsPerAnswer) {
      const [source, line, pattern] = this.#words.slice(at, at + wordsPerAnswer) as [string, string, string];
      const isIgnored = pattern !== "" && !pattern.startsWith("!");
      answers.push(isIgnored ? { source, line: Number(line), pattern } : undefined);
    }
    return answers;
  }

  end(): void {
    this.#child.stdin.end();
  }

  #read(piece: Buffer): void {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let from = 0;
    for (let to = bytes.indexOf(0); to !== -1; to = bytes.indexOf(0, from)) {
      this.#words.push(nameOf(bytes.subarray(from, to)));
      from = to + 1;
    }
    this.#rest = bytes.subarray(from);
    this.#heard();
  }
}

const nul = Buffer.of(0);
