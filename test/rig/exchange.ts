import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Exchanges two names over and over, in one step each time and for times that differ. */
const racer = `
import ctypes, os, random, sys
libc = ctypes.CDLL(None, use_errno=True)
here, there = (os.fsencode(path) for path in sys.argv[1:3])
parent = os.getppid()
os.write(1, b"racing")
# Not after the test that started it.
while os.getppid() == parent:
    libc.renameat2(-100, here, -100, there, 2)
    for _ in range(int(int(sys.argv[3]) ** random.random())):
        pass
`;

/** Whether the racer can be run: it needs python3 and a C library that has renameat2. */
export function canExchange(): boolean {
  const probe = "import ctypes; ctypes.CDLL(None).renameat2";
  return process.platform === "linux" && spawnSync("python3", ["-c", probe]).status === 0;
}

/** Another process exchanges what two paths name, until it is ended. */
export async function startExchanging(
  here: string,
  there: string,
  linger = 200_000,
): Promise<{ end(): Promise<void> }> {
  const child: ChildProcess = spawn("python3", ["-c", racer, here, there, String(linger)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return {
    async end() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}
