/**
 * The parts of @dbos-inc/dbos-sdk, and of the package pg that it brings, which are used here. Their own types are not there when Frond is
 * built, because they are only installed where they are needed.
 */
export interface Dbos {
  readonly DBOS: DbosExecutor;
  readonly DBOSClient: { create(options: ClientOptions): Promise<DbosClient> };
  readonly Error: { isWorkflowIDInUseError(error: unknown): error is { readonly status: RowStatus } };
  registerInternalQueue(name: string, limits: QueueLimits): QueueLimits;
  readonly Pool: new (options: PoolOptions) => Pool;
}

/** What takes rows from queues in this process; there is one. */
export interface DbosExecutor {
  registerWorkflow(body: (...args: never[]) => Promise<void>, options: { readonly name: string }): unknown;
  setConfig(config: ExecutorOptions): void;
  launch(): Promise<void>;
  shutdown(options: { readonly workflowCompletionTimeoutMS: number; readonly deregister: boolean }): Promise<void>;
  /** Of the row whose body asks. */
  readonly workflowID: string | undefined;
}

interface SharedOptions {
  readonly systemDatabaseUrl: string;
  readonly systemDatabasePool: Pool;
  readonly systemDatabaseSchemaName: string;
  readonly logger: DbosLogger;
}

export interface ClientOptions extends SharedOptions {
  readonly applicationName: string;
}

export interface ExecutorOptions extends SharedOptions {
  readonly name: string;
  readonly executorID: string;
  readonly applicationVersion: string;
  readonly listenQueues: readonly string[];
  readonly maxConcurrentQueueDispatches: number;
  readonly useListenNotify: boolean;
}

/** Looked at before every poll. */
export interface QueueLimits {
  workerConcurrency: number;
  minPollingIntervalMs: number;
}

export interface DbosLogger {
  debug(message: unknown): void;
  info(message: unknown): void;
  warn(message: unknown): void;
  error(message: unknown): void;
}

/** Reads and changes rows, and runs none. */
export interface DbosClient {
  enqueue(options: EnqueueOptions, ...args: unknown[]): Promise<unknown>;
  enqueueInTransaction(connection: Connection, options: EnqueueOptions, ...args: unknown[]): Promise<unknown>;
  /** Lets a row that has ended begin anew. */
  rewindWorkflow(id: string, options: { readonly queueName: string }): Promise<unknown>;
  /** Puts a row that has not ended back into its queue. */
  resumeWorkflow(id: string, options: { readonly queueName: string }): Promise<unknown>;
  cancelWorkflows(ids: readonly string[]): Promise<void>;
  deleteWorkflows(ids: readonly string[]): Promise<void>;
  listWorkflows(query: RowQuery): Promise<readonly Row[]>;
  destroy(): Promise<void>;
}

export interface EnqueueOptions {
  readonly workflowName: string;
  readonly queueName: string;
  readonly workflowID: string;
  readonly appVersion: string;
  readonly workflowIDReusePolicy: "reject";
  readonly attributes?: Readonly<Record<string, string>>;
}

export type RowStatus = "ENQUEUED" | "DELAYED" | "PENDING" | "SUCCESS" | "ERROR" | "CANCELLED";

export interface RowQuery {
  readonly status: readonly RowStatus[];
  readonly workflowIDs?: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly completedBefore?: string;
  readonly limit?: number;
  readonly loadInput: false;
  readonly loadOutput: false;
}

export interface Row {
  readonly workflowID: string;
  readonly status: RowStatus;
  readonly queueName?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly dequeuedAt?: number;
}

export interface PoolOptions {
  readonly connectionString: string;
  readonly application_name: string;
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
}

export interface Pool {
  connect(): Promise<Connection>;
  end(): Promise<void>;
  on(event: "error", listener: (failure: Error) => void): void;
}

export interface Connection {
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  /** With true, it is closed. */
  release(isBroken?: boolean): void;
  on(event: "error", listener: (failure: Error) => void): void;
}
