import type { ReadText } from "../library/workflow-files.ts";
import type { Runtime } from "../runs/runtime.ts";

/** What tests need from outside, handed over by the composition root. */
export interface TestBench {
  /** The engine as it is for runs here: to look at workflows with, not to run them. */
  readonly runtime: Runtime;
  /** Fresh directories for one case. */
  makeGround(): Promise<Ground>;
  /** An engine of which nothing is shared with another one, nor with the user's own runs. */
  openRuntime(place: CasePlace): Runtime;
  /** The user's PATH with these programs taken out of it. Made once, and removed with the bench. */
  pathWithout(programs: readonly string[]): Promise<string>;
  /** Absolute path of a program the user has. */
  findProgram(name: string): string | undefined;
  /** Paths of the test files below a directory, sorted; nothing when there is no such directory. */
  listTestFiles(directory: string): readonly string[] | undefined;
  /** The same of all YAML files. */
  listYamlFiles(directory: string): readonly string[] | undefined;
  readText(file: string): ReadText;
  /** Ends every process of every engine opened here, at once. */
  kill(): void;
  /** Removes what the bench itself has made. */
  close(): Promise<void>;
}

/** The directories of one case, all below one that goes with it. */
export interface Ground {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  /** For temporary files. */
  readonly temporary: string;
  /** What Frond itself keeps. */
  readonly state: string;
  /** Where fakes lie, and before all other directories on PATH. */
  readonly programs: string;
  /** Where they write down how they are called. */
  readonly calls: string;
  /** Where workflows lie that stand for others. */
  readonly workflows: string;
  /** Writes a file into one of them, with the directories on the way. What is wrong, if it can't be written. */
  write(directory: string, path: string, text: string, mode?: number): Promise<string | undefined>;
  /** The bytes of a file as text; nothing when there is none. */
  read(directory: string, path: string): Promise<string | undefined>;
  /** Ends whatever still runs in them, and removes them if they are not to be kept. What is wrong, if they can't be. */
  close(keep: boolean): Promise<string | undefined>;
}

export interface CasePlace {
  readonly ground: Ground;
  /** The whole environment of its commands. */
  readonly variables: Readonly<Record<string, string>>;
  readonly standIn: NonNullable<Runtime["standIn"]>;
  readonly warn: (message: string) => void;
}
