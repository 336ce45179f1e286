/** A word that can be put in place of the one that is being typed. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** Words, and paths that the shell itself or somebody else looks up. */
export interface Candidates {
  readonly words: readonly Candidate[];
  readonly paths?: Paths;
}

/** Directories are always among them, for they lead to files. */
export interface Paths {
  /** How the names of files end; nothing for directories alone, all files when it is empty. */
  readonly endings?: readonly string[];
}

export const noCandidates: Candidates = { words: [] };
