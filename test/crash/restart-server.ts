import type { Postgres } from "../rig/postgres.ts";
import type { Tally } from "./tally.ts";

const killsPerRestart = 2;

/** Stops a server at once and starts it again whenever a few engines have been killed: so that falls into anything that others do. */
export class ServerRestarts {
  readonly #server: Postgres;
  #kills = 0;
  #count = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(server: Postgres) {
    this.#server = server;
  }

  get count(): number {
    return this.#count;
  }

  look({ kills }: Tally): void {
    if (kills.length < this.#kills + killsPerRestart) return;
    this.#kills = kills.length;
    this.#last = this.#last.then(() => this.#restart());
  }

  /** Resolves when the server is there for good. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #restart(): Promise<void> {
    await this.#server.stop("immediate");
    await this.#server.start();
    this.#count++;
  }
}
