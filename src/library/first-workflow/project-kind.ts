/** What is seen of a project from outside: nothing of it is run. */
export interface ProjectFacts {
  /** Names in the project's own directory, or in a directory below it. */
  names(directory?: string): readonly string[];
  /** The text of a small file; nothing when there is none. */
  text(path: string): string | undefined;
  /** Whether a program is on PATH. */
  hasProgram(name: string): boolean;
}

/** Something projects are made with, and the first workflow that fits one of them. */
export interface ProjectKind {
  readonly name: string;
  readonly title: string;
  /** Nothing when the project is not of this kind. */
  plan(facts: ProjectFacts): FirstSteps | undefined;
}

/** What the first workflow of a project does. */
export interface FirstSteps {
  /** What it was known by, such as a file; nothing when it was known by nothing. */
  readonly knownBy?: string;
  readonly description: string;
  readonly steps: readonly Step[];
  /** Programs that the steps call. */
  readonly programs: readonly Program[];
  /** Variables of the commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the project lacks for more, as sentences. */
  readonly missing?: readonly string[];
}

export interface Step {
  readonly id: string;
  readonly description: string;
  readonly command: string;
  readonly after?: readonly string[];
}

export interface Program {
  readonly name: string;
  /** How to get it, as a sentence. */
  readonly hint: string;
}

/** The steps that are there, each after those of `after` that are there. */
export function chain(steps: readonly (Step | undefined)[]): readonly Step[] {
  const found = steps.filter((step) => step !== undefined);
  const ids = new Set(found.map(({ id }) => id));
  return found.map((step) => ({ ...step, after: (step.after ?? []).filter((id) => ids.has(id)) }));
}
