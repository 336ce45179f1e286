import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Blobs } from "../../src/block/ports.ts";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createMemoryBlobs } from "../../src/platform/files/memory-blobs.ts";
import { mountMemory } from "../journal/small-disk.ts";
import { unwrap } from "../rig/unwrap.ts";

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-blobs-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

const bytes = Buffer.from("some bytes");
const digest = (content: Uint8Array | string): string => createHash("sha256").update(content).digest("hex");
const sha256 = digest(bytes);

describe.each<[string, (mostBytes: number) => Blobs]>([
  ["in files", (mostBytes) => createBlobs(join(directory, "blobs"), { mostBytes })],
  ["in memory", (mostBytes) => createMemoryBlobs(mostBytes)],
])("blobs %s", (_where, create) => {
  test("give back what was put, by its digest, for as long as a run uses it", async () => {
    const blobs = create(1_000);
    expect(await blobs.get(sha256)).toBeUndefined();
    expect(await blobs.put("run_1", bytes)).toEqual({ ok: true, value: sha256 });
    expect(await blobs.put("run_2", bytes, { lasting: false })).toEqual({ ok: true, value: sha256 });
    expect(blobs.runs().toSorted()).toEqual(["run_1", "run_2"]);
    expect(blobs.size("run_1")).toBe(bytes.length);
    blobs.remove("run_1");
    expect(blobs.runs()).toEqual(["run_2"]);
    expect(Buffer.from((await blobs.get(sha256)) ?? [])).toEqual(bytes);
    blobs.remove("run_2");
    expect(await blobs.get(sha256)).toBeUndefined();
    expect(blobs.size("run_2")).toBe(0);
  });

  test("are used by another run only if they are there", async () => {
    const blobs = create(1_000);
    expect(await blobs.use("run_2", sha256)).toBe(false);
    expect(await blobs.use("run_2", "../../etc/passwd")).toBe(false);
    await blobs.put("run_1", bytes);
    expect(await blobs.use("run_2", sha256)).toBe(true);
    expect(await blobs.use("run_2", sha256)).toBe(true);
    blobs.remove("run_1");
    expect(await blobs.get(sha256)).toBeDefined();
    expect(blobs.size("run_2")).toBe(bytes.length);
  });

  test("hold no more of a run than its limit, half of that for what need not last, and the same bytes once", async () => {
    const blobs = create(20);
    for (let time = 0; time < 3; time++) unwrap(await blobs.put("run_1", bytes));
    const beyond = { ok: false, error: { kind: "limit", message: expect.stringContaining("FROND_MAX_UNDO_MB") } };
    expect(await blobs.put("run_1", Buffer.from("other"), { lasting: false })).toMatchObject(beyond);
    expect(await blobs.put("run_1", Buffer.alloc(11))).toMatchObject(beyond);
    unwrap(await blobs.put("run_1", Buffer.alloc(10)));
    expect(await blobs.put("run_1", Buffer.alloc(1))).toMatchObject(beyond);
    unwrap(await blobs.put("run_2", Buffer.alloc(20)));
    expect(blobs.size("run_1")).toBe(20);
  });

  test("take a file, or the reason why it can't be read", async () => {
    const blobs = create(3_000_000);
    const large = Buffer.alloc(2_500_000, "frond");
    writeFileSync(join(directory, "large"), large);
    chmodSync(join(directory, "large"), 0o640);
    const files = createFileSystem();
    const put = unwrap(await blobs.putFile("run_1", { root: directory, path: "large" }, files));
    expect(put).toEqual({ sha256: digest(large), size: large.length, mode: 0o640 });
    expect(Buffer.compare((await blobs.get(put.sha256)) ?? Buffer.of(), large)).toBe(0);
    expect(await blobs.putFile("run_1", { root: directory, path: "none" }, files)).toMatchObject({
      ok: false,
      error: { kind: "missing" },
    });
    expect(await blobs.putFile("run_2", { root: directory, path: "large" }, files)).toMatchObject({ ok: true });
    writeFileSync(join(directory, "larger"), Buffer.alloc(3_000_001));
    expect(await blobs.putFile("run_3", { root: directory, path: "larger" }, files)).toMatchObject({
      ok: false,
      error: { kind: "limit" },
    });
    expect(blobs.size("run_3")).toBe(0);
  });

  test("are put by many at once", async () => {
    const blobs = create(1_000);
    const contents = Array.from({ length: 30 }, (_, index) => Buffer.from(`content ${index % 10}`));
    for (const put of await Promise.all(contents.map((content) => blobs.put("run_1", content)))) unwrap(put);
    expect(blobs.size("run_1")).toBe(90);
    unwrap(await blobs.put("run_1", Buffer.alloc(910)));
  });
});

describe("blobs in files", () => {
  const create = (): Blobs => createBlobs(join(directory, "blobs"), { mostBytes: 1_000_000 });
  const shared = (): string => join(directory, "blobs", sha256.slice(0, 2), sha256);
  const own = (runId: string): string => join(directory, "blobs/runs", runId, sha256);

  test("are for their owner's eyes only, once on the disk, and leave nothing else there", async () => {
    const blobs = create();
    await blobs.put("run_1", bytes);
    await create().put("run_2", bytes);
    expect(statSync(shared()).nlink).toBe(3);
    expect(statSync(shared()).mode & 0o777).toBe(0o600);
    for (const path of ["blobs", "blobs/runs", "blobs/runs/run_1", `blobs/${sha256.slice(0, 2)}`]) {
      expect(statSync(join(directory, path)).mode & 0o777).toBe(0o700);
    }
    expect(readdirSync(join(directory, "blobs/runs/run_2"))).toEqual([sha256]);
    blobs.remove("run_1");
    create().remove("run_2");
    expect(readdirSync(join(directory, "blobs", sha256.slice(0, 2)))).toEqual([]);
    expect(() => blobs.remove("../logs")).toThrow("is not the id of a run");
  });

  test("that a crash has spoiled are missing, and put anew", async () => {
    await create().put("run_1", bytes);
    truncateSync(shared(), 0);
    const blobs = create();
    expect(await blobs.get(sha256)).toBeUndefined();
    expect(await blobs.use("run_2", sha256)).toBe(false);
    unwrap(await blobs.put("run_2", bytes));
    expect(Buffer.from((await blobs.get(sha256)) ?? [])).toEqual(bytes);
    unwrap(await blobs.put("run_1", bytes));
    blobs.remove("run_2");
    expect(Buffer.from((await blobs.get(sha256)) ?? [])).toEqual(bytes);
    expect(readdirSync(join(directory, "blobs/runs/run_1"))).toEqual([sha256]);
  });

  test("are found as long as a run has them, whatever became of their other name", async () => {
    const blobs = create();
    await blobs.put("run_1", bytes);
    renameSync(shared(), `${shared()}.going`);
    expect(await blobs.get(sha256)).toBeDefined();
    rmSync(`${shared()}.going`);
    expect(await blobs.get(sha256)).toBeDefined();
    expect(await create().use("run_2", sha256)).toBe(true);
    blobs.remove("run_1");
    expect(await blobs.get(sha256)).toBeDefined();
  });

  test("that find the disk full leave nothing behind, and say what to do", async (context) => {
    const disk = mountMemory(context);
    const place = join(disk.directory, "blobs");
    const blobs = createBlobs(place, { mostBytes: 1e9 });
    unwrap(await blobs.put("run_1", bytes));
    disk.fill(100_000);
    const large = Buffer.alloc(1_000_000);
    writeFileSync(join(directory, "large"), large);
    const full = {
      ok: false,
      error: {
        kind: "full",
        message: `What undo needs can't be kept in ${place}: no space is left on the disk. Make room there, or choose another place with FROND_STATE_DIR.`,
      },
    };
    expect(await blobs.put("run_1", large)).toEqual(full);
    expect(await blobs.put("run_1", large, { lasting: false })).toEqual(full);
    expect(await blobs.putFile("run_1", { root: directory, path: "large" }, createFileSystem())).toEqual(full);
    expect(readdirSync(join(place, "runs/run_1"))).toEqual([sha256]);
    expect(blobs.freeBytes()).toBeLessThan(1_000_000);
    disk.empty();
    unwrap(await blobs.put("run_1", large));
    disk.makeReadOnly();
    expect(await blobs.put("run_1", Buffer.from("more"))).toMatchObject({
      ok: false,
      error: { kind: "unusable", message: expect.stringContaining("the file system is read-only. Choose another") },
    });
    expect(await blobs.get(sha256)).toBeDefined();
  });

  test("are not taken away from somebody who has begun to use them", async () => {
    const blobs = create();
    await blobs.put("run_1", bytes);
    mkdirSync(join(directory, "blobs/runs/run_2"));
    linkSync(shared(), own("run_2"));
    blobs.remove("run_1");
    expect(existsSync(shared())).toBe(true);
    expect(await blobs.get(sha256)).toBeDefined();
  });
});
