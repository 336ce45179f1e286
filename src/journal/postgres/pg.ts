/** The part of the package pg that is used here. Its own types are not there when Frond is built, because it is only installed where it is needed. */
export interface Pg {
  readonly Client: new (options: PgClientOptions) => PgClient;
}

export interface PgClientOptions {
  readonly connectionString: string;
  readonly application_name?: string;
  readonly connectionTimeoutMillis?: number;
  readonly keepAlive?: boolean;
}

export interface PgClient {
  connect(): Promise<unknown>;
  query(query: PgQuery | string): Promise<PgResult>;
  end(): Promise<void>;
  on(event: "error", listener: (failure: Error) => void): void;
  on(event: "end", listener: () => void): void;
  on(event: "notification", listener: (message: { readonly channel: string; readonly payload?: string }) => void): void;
}

export interface PgQuery {
  /** Under which the server keeps it prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface PgResult {
  readonly rows: readonly PgRow[];
  readonly rowCount: number | null;
}

export interface PgRow {
  readonly [column: string]: unknown;
}
