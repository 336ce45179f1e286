import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { type FileGround, makeFileGround } from "./file-ground.ts";

/** What the files of one name hold, on either side. */
export const inside = "inside";
export const outside = "outside";

/** Where nothing waits for a disk, so that more happens in the same time. */
const memory = "/dev/shm";

/** Names that exist on both sides, so that whoever is led outside finds what he looks for and does damage. */
const names = ["read", "replaced", "removed", "renamed", "target"];

const racer = `
  const { lstatSync, renameSync, symlinkSync, unlinkSync } = require("node:fs");
  // For a time that differs, so that every moment of an operation is hit sooner or later.
  const linger = () => { for (let left = Math.random() * 30; left > 0; left--) lstatSync("."); };
  process.stdout.write("racing");
  for (;;) {
    renameSync("raced", "real");
    symlinkSync("../outside", "raced");
    linger();
    unlinkSync("raced");
    renameSync("real", "raced");
    linger();
    linger();
  }
`;

export interface Race {
  readonly ground: FileGround;
  /** Puts the directory back to where it was. */
  end(): Promise<void>;
}

/** Another process swaps the directory `raced` for a link to one outside and back, as fast as it can. */
export async function startRace(): Promise<Race> {
  const ground = makeFileGround(existsSync(memory) ? memory : undefined);
  mkdirSync(ground.at("raced"));
  mkdirSync(ground.at("aside"));
  for (const name of names) {
    writeFileSync(ground.at(`raced/${name}`), inside);
    writeFileSync(`${ground.outside}/${name}`, outside);
  }
  const child = spawn(process.execPath, ["-e", racer], { cwd: ground.root, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return {
    ground,
    async end() {
      child.kill("SIGKILL");
      await once(child, "close");
      if (!("real/" in ground.tree())) return;
      rmSync(ground.at("raced"), { force: true });
      renameSync(ground.at("real"), ground.at("raced"));
    },
  };
}
