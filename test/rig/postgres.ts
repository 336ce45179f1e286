import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Pg, PgClient } from "../../src/journal/postgres/pg.ts";
import { memoryDirectory } from "./memory-directory.ts";

export interface Postgres {
  /** Of a database that is there from the start, with the password in it. */
  readonly url: string;
  readonly port: number;
  /** `immediate`: as if the machine had lost its power, but for what has been written. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Again, after it has been stopped, with the same address and data. */
  start(): Promise<void>;
  /** An empty one. */
  createDatabase(): Promise<string>;
  /** One that was created so: a server that was stopped at once looks at every file that it has, before it starts. */
  dropDatabase(url: string): Promise<void>;
  /** Stops it, and takes its data away; which also happens when this process ends. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** Writes to the disk what it has committed, which tests that lose no power need not wait for. */
  readonly durable?: boolean;
}

let shared: Promise<Postgres> | undefined;

/** The server that all tests of this process share: whoever stops it starts it again. */
export function startPostgres(): Promise<Postgres> {
  shared ??= startOwnPostgres();
  return shared;
}

/** One that nobody else uses. */
export async function startOwnPostgres({ durable = false }: PostgresOptions = {}): Promise<Postgres> {
  const server = new PostgresServer(durable);
  await server.start();
  return server;
}

/** The package pg. */
export function loadPg(): Pg {
  const { pg } = findPostgres();
  return createRequire(join(pg, "package.json"))(pg) as Pg;
}

/** What tells an engine which database to use, and where the packages are that it needs for that. */
export function postgresVariables(url: string): Readonly<Record<string, string>> {
  const { pg, dbos } = findPostgres();
  return { FROND_DATABASE_URL: url, FROND_PG: pg, FROND_DBOS: dbos };
}

/** Connects for the time of an action. */
export async function withClient<T>(url: string, action: (client: PgClient) => Promise<T>): Promise<T> {
  const client = new (loadPg().Client)({ connectionString: url });
  // Whoever uses it is told by what it asks.
  client.on("error", () => {});
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

/** Ends with the process that started it, however that ends: then its standard input is closed. */
const supervisor = `
  "$@" &
  server=$!
  read -r order || order=remove
  case $order in fast) kill -INT $server ;; *) kill -QUIT $server ;; esac
  wait $server
  if [ "$order" = remove ]; then rm -rf "$FROND_TEST_SERVER"; fi
`;

class PostgresServer implements Postgres {
  readonly #found = findPostgres();
  readonly #directory: string;
  readonly #programs: string;
  readonly #durable: boolean;
  #port = 0;
  #databases = 0;
  #supervisor: ChildProcess | undefined;

  constructor(durable: boolean) {
    const { user, programs, data } = this.#found;
    this.#durable = durable;
    this.#directory = mkdtempSync(join(durable ? tmpdir() : memoryDirectory(), "frond-postgres-"));
    if (user !== undefined) chownSync(this.#directory, user.uid, user.gid);
    execFileSync("cp", ["-a", data, join(this.#directory, "data")]);
    const isReachable = spawnSync("test", ["-x", join(programs, "bin/postgres")], { ...user }).status === 0;
    this.#programs = isReachable ? programs : join(this.#directory, "programs");
    if (!isReachable) execFileSync("cp", ["-r", programs, this.#programs]);
  }

  get url(): string {
    return this.#urlOf("postgres");
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    for (let tries = 1; !(await this.#tryToStart()); tries++) {
      if (tries === 10) throw new Error("PostgreSQL does not start.");
    }
  }

  /** False when somebody else has taken the port. */
  async #tryToStart(): Promise<boolean> {
    if (this.#supervisor !== undefined) throw new Error("The server runs already.");
    const wasGiven = this.#port !== 0;
    if (!wasGiven) this.#port = await freePort();
    const settings = {
      port: this.#port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 200,
      shared_buffers: "32MB",
      ...(!this.#durable && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    };
    const args = ["-D", join(this.#directory, "data")];
    for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
    const child = spawn("sh", ["-c", supervisor, "sh", join(this.#programs, "bin/postgres"), ...args], {
      cwd: this.#directory,
      env: { ...process.env, FROND_TEST_SERVER: this.#directory },
      stdio: ["pipe", "ignore", "pipe"],
      // A signal from the terminal is for the tests, whose end is enough.
      detached: true,
      ...this.#found.user,
    });
    this.#supervisor = child;
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      if (line.includes("ready to accept connections")) {
        // Read on, so that it never waits for somebody to listen.
        child.stderr.resume();
        for (const handle of [child, child.stdin, child.stderr]) unref(handle);
        return true;
      }
      if (line.includes("could not bind") && !wasGiven) {
        await this.#order("immediate");
        this.#port = 0;
        return false;
      }
      // What it tells others who come too early is no failure.
      if (/FATAL(?!.*(starting up|not yet accepting))|database system is shut down/.test(line)) break;
    }
    await this.#order("immediate");
    throw new Error(`PostgreSQL does not start: ${said.join("\n")}`);
  }

  async stop(mode: "fast" | "immediate"): Promise<void> {
    await this.#order(mode);
  }

  async createDatabase(): Promise<string> {
    const name = `test_${process.pid}_${++this.#databases}`;
    await withClient(this.url, (client) => client.query(`CREATE DATABASE ${name}`));
    return this.#urlOf(name);
  }

  async dropDatabase(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await withClient(this.url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }

  async remove(): Promise<void> {
    await this.#order("remove");
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #order(order: string): Promise<void> {
    const child = this.#supervisor;
    this.#supervisor = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.stdin?.end(`${order}\n`);
    child.ref();
    await ended;
  }

  #urlOf(database: string): string {
    return `postgres://frond:${this.#found.password}@127.0.0.1:${this.#port}/${database}`;
  }
}

/** It does not keep this process from ending. */
function unref(handle: object): void {
  (handle as { unref?(): void }).unref?.();
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

interface Found {
  readonly programs: string;
  readonly data: string;
  readonly password: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly pg: string;
  readonly dbos: string;
}

let found: Found | undefined;

function findPostgres(): Found {
  found ??= askScript();
  return found;
}

function askScript(): Found {
  // From the root of the repository, as everything that runs tests: a bundle lies elsewhere.
  const args = [resolve("scripts/find-postgres.js")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim());
  return JSON.parse(stdout) as Found;
}
