import type { Span } from "../../expression/ast.ts";
import type { Refusal } from "./command-problem.ts";
import type { SuspectVariable } from "./explain-foreign-syntax.ts";
import type { PlacedValues } from "./placed-values.ts";
import type { Branch, Command, Piece } from "./shell-syntax.ts";

/** Pieces whose contents bash evaluates where they stand. */
export interface Evaluation {
  readonly pieces: readonly Piece[];
  /** Whether bare names in the text stand for the variables' contents, as in arithmetic. */
  readonly names?: boolean;
  readonly refusal: Refusal;
  /** For a value that stands there itself. */
  readonly direct?: Refusal;
  /** Set in a subscript: the keys of an associative array are plain text. */
  readonly array?: ArrayUse;
  /** Where the names stand. */
  readonly range: Span;
}

export interface ArrayUse {
  readonly name: string;
  readonly scope: string;
  readonly branch: Branch;
}

/** What reaches a variable without an assignment of its own, as by `${name:=text}`. */
export interface Pour {
  readonly pieces: readonly Piece[];
  readonly holder: string;
  /** Set where this is as good as an assignment. */
  readonly range: Span | undefined;
}

const mostSuspects = 50;

/** A script while it is lowered. */
export class ScriptBuilder {
  readonly placed: PlacedValues;
  readonly commands: Command[] = [];
  readonly evaluations: Evaluation[] = [];
  readonly pours: Pour[] = [];
  readonly inputs: { readonly group: number; readonly holder: string }[] = [];
  /** Lists that are parts of others. */
  readonly slices: Map<string, string> = new Map();
  /** Commands whose errors go into a pipe with their output: `a |& b`. */
  readonly joinedErrors: Set<number> = new Set();
  /** Variables whose contents are names of others, as in `${!name}`. */
  readonly indirections: Set<string> = new Set();
  /** Variables that look like references of ours, unless the script assigns them. */
  readonly suspects: SuspectVariable[] = [];
  /** Variables that in a loop look like its element, unless the script assigns them. */
  readonly loopVariables: SuspectVariable[] = [];
  private holders = 0;

  constructor(placed: PlacedValues) {
    this.placed = placed;
  }

  /** Adds a command; the caller gives it the id that is the number of commands before it. */
  add(command: Command): void {
    this.commands[command.id] = command;
  }

  /** A place in the list that is filled when the command's parts have been read. */
  reserve(): number {
    this.commands.push(pending);
    return this.commands.length - 1;
  }

  evaluate(evaluation: Evaluation): void {
    this.evaluations.push(evaluation);
  }

  pour(pieces: readonly Piece[], holder: string, range?: Span): void {
    if (pieces.length > 0) this.pours.push({ pieces, holder, range });
  }

  /** What the group reads from its standard input reaches the variable. */
  readInput(group: number, holder: string): void {
    this.inputs.push({ group, holder });
  }

  /** The holder of what the variables hold whose names are in this one. */
  indirect(holder: string): string {
    this.indirections.add(holder);
    return `!${holder}`;
  }

  newHolder(): string {
    this.holders += 1;
    return `#${this.holders}`;
  }

  suspect(variable: SuspectVariable | undefined): void {
    if (variable !== undefined && this.suspects.length < mostSuspects) this.suspects.push(variable);
  }

  suspectInLoop(variable: SuspectVariable | undefined): void {
    if (variable !== undefined && this.loopVariables.length < mostSuspects) this.loopVariables.push(variable);
  }
}

const pending: Command = {
  id: -1,
  kind: "group",
  start: 0,
  end: 0,
  assignments: [],
  words: [],
  redirects: [],
  tests: [],
  parent: undefined,
  pipedFrom: undefined,
  scope: "",
  defines: undefined,
  branch: { outer: undefined },
};
