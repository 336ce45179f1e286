import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { nameOf, systemPath } from "../file-paths.ts";
import { type GitProgram, startGit } from "./git-program.ts";

/** Which paths a repository ignores, told by one git that is asked again and again. Tracked ones are never ignored. */
export class IgnoreRules {
  readonly #program: GitProgram;
  readonly #cwd: string;
  /** Of the paths that are asked for, what lies above the directory git runs in. */
  readonly #prefix: string;
  #running: Answers | undefined;
  #failures = 0;

  constructor(program: GitProgram, workspace: string, directory: string) {
    this.#program = program;
    this.#cwd = directory === "" ? workspace : `${workspace}/${directory}`;
    this.#prefix = directory === "" ? "" : `${directory}/`;
  }

  /** Those of the paths that are ignored. Where git can't tell, nothing is. */
  async ignored(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const ignored = new Set<string>();
    for (let at = 0; at < paths.length && this.#failures < mostFailures; ) {
      this.#running ??= new Answers(startGit(this.#program, { cwd: this.#cwd }, checkIgnore));
      const asked = paths.slice(at, at + pathsAtOnce);
      // So that no name is taken for one of git's special words.
      const answers = await this.#running.ask(asked.map((path) => `./${path.slice(this.#prefix.length)}`));
      for (const [index, isIgnored] of answers.entries()) if (isIgnored) ignored.add(asked[index] as string);
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
  async ask(paths: readonly string[]): Promise<boolean[]> {
    this.#words = [];
    this.#child.stdin.write(Buffer.concat(paths.flatMap((path) => [Buffer.from(systemPath(path)), nul])));
    while (this.#words.length < paths.length * wordsPerAnswer && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    const answers: boolean[] = [];
    for (let at = 2; at + 1 < this.#words.length; at += wordsPerAnswer) {
      const pattern = this.#words[at] as string;
      answers.push(pattern !== "" && !pattern.startsWith("!"));
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
