/** What the journal needs of SQLite, whoever brings it: everything at once, nothing asynchronous. */
export interface Database {
  /** One or more statements, run to their end. */
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly Cell[]): Change;
  get(...values: readonly Cell[]): Row | undefined;
  all(...values: readonly Cell[]): readonly Row[];
}

/** Text holds no NUL and no lone surrogate, which the drivers do not all preserve: what may hold them is written as JSON. */
export type Cell = string | number | null;

export interface Row {
  readonly [column: string]: Cell | undefined;
}

export interface Change {
  readonly changes: number;
  readonly lastRowId: number;
}

/** SQLite said no. */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  /** SQLite's own, extended: the lowest byte is the kind of failure. */
  readonly resultCode: number;

  constructor(resultCode: number, message: string, cause: unknown) {
    super(message, { cause });
    this.resultCode = resultCode;
  }

  get kind(): number {
    return this.resultCode & 0xff;
  }
}

/** Ends a transaction in whatever state a failure has left it. */
export function rollBack(sql: Prepare): void {
  try {
    sql("ROLLBACK").run();
  } catch (failure) {
    // After some failures SQLite has rolled back by itself.
    if (!(failure instanceof SqliteFailure)) throw failure;
  }
}

export type Prepare = (sql: string) => Statement;

/** Compiles each statement once, when it is first needed. */
export function prepareOnce(database: Database): Prepare {
  const prepared = new Map<string, Statement>();
  return (sql) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
