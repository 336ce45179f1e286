import type { Socket } from "node:net";

const mostConnections = 1_000;

/**
 * The connections of a server. When there are too many, the one is closed that has been open longest without a request that showed
 * the token: however many strangers hold connections open, whoever has the token gets in, and stays.
 */
export class Connections {
  readonly #open = new Set<Socket>();
  /** In the order in which they came. */
  readonly #strangers = new Set<Socket>();

  add(socket: Socket): void {
    this.#open.add(socket);
    this.#strangers.add(socket);
    socket.once("close", () => this.#remove(socket));
    if (this.#open.size <= mostConnections) return;
    // It is one itself, so there always is one.
    const [oldest = socket] = this.#strangers;
    this.#remove(oldest);
    oldest.destroy();
  }

  /** A request with the token came over it. */
  admit(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  #remove(socket: Socket): void {
    this.#open.delete(socket);
    this.#strangers.delete(socket);
  }
}
