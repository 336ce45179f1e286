/**
 * A Shell block and values that try to become code in it. In values CANARY stands for a command that leaves a file behind, TARGET
 * for that file's path; HERE for a command that does so in the directory of the block and holds no slash.
 */
export interface Attack {
  readonly name: string;
  /**
   * refused: an error. warned: at least a warning. harmless: accepted, since nothing there evaluates the value. unseen: the value
   * runs through what another program does with its arguments or files, or through a computed command; only counted.
   */
  readonly expect: "refused" | "warned" | "harmless" | "unseen";
  readonly command?: string;
  /** Instead of a command: a program and its arguments, without a shell. */
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: bash. */
  readonly shell?: "sh" | "dash";
  /** What `${inputs.NAME}` is. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  /** What stands in the directory before: a script for sh. */
  readonly setup?: string;
  /** Programs that must be installed. Without them the attack is judged by its refusal alone. */
  readonly needs?: readonly string[];
  /** Why it can't be run in a test at all: it needs a server, a terminal or another user. */
  readonly cannotRun?: string;
}

export interface AttackGroup {
  readonly kind: string;
  readonly attacks: readonly Attack[];
}
