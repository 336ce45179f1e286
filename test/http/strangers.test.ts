import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { waitFor } from "../rig/wait-for.ts";

/** What somebody without a token can leave a connection with. */
const beginnings = {
  "nothing at all": "",
  "half of the headers": "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n",
  "a wrong token and half of the body":
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer wrong\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
};

/** Resolves when the system has taken the connection. */
async function holdOpen(port: number, beginning: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  await once(socket, "connect");
  socket.write(beginning.replace("PORT", String(port)));
  return socket;
}

test.each(Object.entries(beginnings))(
  "who has no token keeps nobody out, however many connections they hold open, with %s",
  async (_, beginning) => {
    const door = await openHttpDoor(createFrond());
    const early = await door.connect({ era: "2025-11-25" });
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (let round = 0; round < 11; round++) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => holdOpen(door.port, beginning)))));
    }
    expect((await door.ask("tools/list")).status).toBe(200);
    expect((await early.call("list_runs")).isError).toBe(false);
    const late = await door.connect({ era: "2025-11-25" });
    expect((await late.call("list_runs")).isError).toBe(false);
    const isClosed = ({ destroyed }: Socket): boolean => destroyed;
    await waitFor("the oldest of them to be closed", () => sockets.filter(isClosed).length >= 100);
  },
);
