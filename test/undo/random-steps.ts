import { nameOf } from "../../src/platform/files/file-paths.ts";
import { pick, type Random } from "../crash/random.ts";
import { type AreaModel, isWithin, type KnownEntry } from "./area-model.ts";
import { readPath } from "./byte-path.ts";
import { contents } from "./random-tree.ts";

export interface Step {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

type WriteStep = (random: Random, area: AreaModel) => Step | undefined;

/** A block that changes something in an area and, as far as is known, succeeds. */
export function randomFileStep(random: Random, area: AreaModel): Step {
  for (;;) {
    const step = pick(random, fileSteps)(random, area);
    if (step !== undefined) return step;
  }
}

/** The same by a command. */
export function randomCommandStep(random: Random, area: AreaModel): Step {
  const commands: string[] = [];
  const count = 1 + random(3);
  while (commands.length < count) {
    const command = pick(random, commandSteps)(random, area);
    if (command !== undefined) commands.push(command);
  }
  return { type: "Shell", inputs: { command: commands.join("\n"), strict: true, shell: "bash" } };
}

const isFile = ({ kind }: KnownEntry): boolean => kind === "file";
const isLink = ({ kind }: KnownEntry): boolean => kind === "link";
const isDirectory = ({ kind }: KnownEntry): boolean => kind === "directory";
const file: KnownEntry = { kind: "file" };
const texts = ["", "new\n", "one\ntwo\nthree\n", "a\r\nb\r\n", "größer\n", "no end"];
const modes = ["600", "644", "755", "400"];

/** As a block is given it, which names a byte that is no UTF-8 by half a character. */
export function input(path: string): string {
  return nameOf(readPath(path));
}

const fileSteps: readonly WriteStep[] = [
  function createNew(random, area) {
    const path = area.freeDeep(random);
    const mode = random(3) === 0 ? { mode: pick(random, modes) } : {};
    const isBinary = random(3) === 0;
    const content = isBinary ? Buffer.from(pick(random, contents), "latin1").toString("base64") : pick(random, texts);
    area.put(path, isBinary ? file : { kind: "file", isText: true });
    return {
      type: "CreateFile",
      inputs: { path: input(path), content, ...mode, ...(isBinary ? { encoding: "base64" } : {}) },
    };
  },
  function overwrite(random, area) {
    const path = area.find(random, isFile);
    if (path === undefined) return undefined;
    const mode = random(2) === 0 ? { mode: pick(random, modes) } : {};
    area.put(path, { kind: "file", isText: true });
    return { type: "CreateFile", inputs: { path: input(path), content: pick(random, texts), ...mode } };
  },
  function edit(random, area) {
    const path = area.find(random, ({ isText }) => isText === true);
    if (path === undefined) return undefined;
    area.put(path, { kind: "file", isText: true });
    const operation = pick(random, [
      { type: "insert_lines", line_start: 1, content: "inserted" },
      { type: "regex_replace", pattern: "^|o", replacement: "0" },
    ]);
    const edits = random(3) === 0 ? { content: pick(random, texts) } : { operations: [operation] };
    return { type: "EditFile", inputs: { path: input(path), ...edits } };
  },
  function remove(random, area) {
    const path = area.find(random, ({ kind }) => kind !== "directory");
    if (path === undefined) return undefined;
    area.remove(path);
    return { type: "DeleteFile", inputs: { path: input(path) } };
  },
  function removeTree(random, area) {
    const path = area.find(random, isDirectory);
    if (path === undefined) return undefined;
    area.remove(path);
    return { type: "DeleteFile", inputs: { path: input(path), recursive: true } };
  },
  function moveFile(random, area) {
    const from = area.find(random, ({ kind }) => kind !== "directory");
    const over = random(3) === 0 ? area.find(random, isFile) : undefined;
    const to = over === undefined || over === from ? area.freeDeep(random) : over;
    if (from === undefined || isWithin(to, from)) return undefined;
    area.move(from, to);
    return { type: "MoveFile", inputs: { from: input(from), to: input(to), overwrite: to === over } };
  },
  function moveDirectory(random, area) {
    const from = area.find(random, isDirectory);
    const to = area.freeDeep(random);
    if (from === undefined || isWithin(to, from)) return undefined;
    area.move(from, to);
    return { type: "MoveFile", inputs: { from: input(from), to: input(to) } };
  },
  function copyFile(random, area) {
    const from = area.find(random, isFile);
    const over = random(3) === 0 ? area.find(random, isFile) : undefined;
    const to = over === undefined || over === from ? area.freeDeep(random) : over;
    if (from === undefined || isWithin(to, from)) return undefined;
    area.copyTo(from, to);
    return { type: "CopyFile", inputs: { from: input(from), to: input(to), overwrite: to === over } };
  },
  function copyDirectory(random, area) {
    const from = area.find(random, (entry, one) => isDirectory(entry) && !area.holds(one, isLink));
    const to = area.freeDeep(random);
    if (from === undefined || isWithin(to, from)) return undefined;
    area.copyTo(from, to);
    return { type: "CopyFile", inputs: { from: input(from), to: input(to), recursive: true } };
  },
  function makeDirectory(random, area) {
    const path = area.freeDeep(random);
    area.put(path, { kind: "directory" });
    return { type: "MakeDir", inputs: { path: input(path) } };
  },
  function render(random, area) {
    const path = random(2) === 0 ? area.find(random, isFile) : area.freeDeep(random);
    if (path === undefined) return undefined;
    area.put(path, { kind: "file", isText: true });
    const given = { template: "Hello {{ name }}\r\n", variables: { name: pick(random, ["fern", "", "日本"]) } };
    return { type: "RenderTemplate", inputs: { ...given, output_path: input(path) } };
  },
  function writeState(random, area) {
    const path = random(2) === 0 ? area.find(random, isFile) : area.freeDeep(random);
    if (path === undefined) return undefined;
    area.put(path, { kind: "file", isText: true, isMap: true });
    return { type: "WriteJSONState", inputs: { path: input(path), data: { a: random(3), b: [true, null] } } };
  },
  function mergeState(random, area) {
    const path = area.find(random, ({ isMap }) => isMap === true) ?? area.freeDeep(random);
    area.put(path, { kind: "file", isText: true, isMap: true });
    return { type: "MergeJSONState", inputs: { path: input(path), updates: { a: { c: random(3) }, list: [] } } };
  },
];

type WriteCommand = (random: Random, area: AreaModel) => string | undefined;

const commandSteps: readonly WriteCommand[] = [
  function write(random, area) {
    const path = random(2) === 0 ? area.find(random, isFile) : area.free(random);
    if (path === undefined) return undefined;
    area.put(path, file);
    return `printf ${quote(pick(random, contents.slice(0, 8)), "latin1")} > ${quote(path)}`;
  },
  function append(random, area) {
    const path = area.find(random, isFile);
    return path && `printf 'more\\n' >> ${quote(path)}`;
  },
  function editInPlace(random, area) {
    const path = area.find(random, ({ isText }) => isText === true);
    return path && `sed -i 's/o/0/' ./${quote(path)}`;
  },
  function shorten(random, area) {
    const path = area.find(random, isFile);
    return path && `truncate -s ${random(3)} ./${quote(path)}`;
  },
  function remove(random, area) {
    const path = area.find(random, ({ kind }) => kind !== "directory");
    if (path !== undefined) area.remove(path);
    return path && `rm -f ./${quote(path)}`;
  },
  function removeTree(random, area) {
    const path = area.find(random, isDirectory);
    if (path !== undefined) area.remove(path);
    return path && `rm -rf ./${quote(path)}`;
  },
  function move(random, area) {
    const from = area.find(random, () => true);
    const to = area.free(random);
    if (from === undefined || isWithin(to, from)) return undefined;
    area.move(from, to);
    return `mv -T ./${quote(from)} ./${quote(to)}`;
  },
  function copy(random, area) {
    const from = area.find(random, () => true);
    const to = area.free(random);
    if (from === undefined || isWithin(to, from)) return undefined;
    area.copyTo(from, to);
    return `cp -a${random(2) === 0 ? "T" : "rT"} ./${quote(from)} ./${quote(to)}`;
  },
  function makeDirectory(random, area) {
    const path = `${area.free(random)}/x/y`;
    area.put(path, { kind: "directory" });
    return `mkdir -p ./${quote(path)}`;
  },
  function link(random, area) {
    const path = area.free(random);
    area.put(path, { kind: "link" });
    return `ln -s ${pick(random, ["nowhere", ".", "../x"])} ./${quote(path)}`;
  },
  function pointElsewhere(random, area) {
    const path = area.find(random, ({ kind }) => kind === "link");
    return path && `ln -sfn elsewhere ./${quote(path)}`;
  },
  function changeMode(random, area) {
    const path = area.find(random, ({ kind }) => kind !== "link");
    const choices = path !== undefined && area.get(path)?.kind === "file" ? ["600", "755", "u+x,g-r"] : ["700", "755"];
    return path && `chmod ${pick(random, choices)} ./${quote(path)}`;
  },
  function fileToDirectory(random, area) {
    const path = area.find(random, ({ kind }) => kind !== "directory");
    if (path === undefined) return undefined;
    area.remove(path);
    area.put(`${path}/inner`, file);
    return `rm -f ./${quote(path)}; mkdir ./${quote(path)}; printf in > ./${quote(path)}/inner`;
  },
  function directoryToFile(random, area) {
    const path = area.find(random, isDirectory);
    if (path === undefined) return undefined;
    area.remove(path);
    area.put(path, file);
    return `rm -rf ./${quote(path)}; printf was-a-directory > ./${quote(path)}`;
  },
  function swap(random, area) {
    const one = area.find(random, isFile);
    const other = area.find(random, isFile);
    if (one === undefined || other === undefined || one === other) return undefined;
    const spare = `./${quote(`${area.top}/spare`)}`;
    return `mv -T ./${quote(one)} ${spare}; mv -T ./${quote(other)} ./${quote(one)}; mv -T ${spare} ./${quote(other)}`;
  },
  function touch(random, area) {
    const path = area.find(random, isFile);
    return path && `touch ./${quote(path)}`;
  },
];

/** Bytes as bash reads them, whatever they are. */
export function quote(text: string, encoding: "path" | "latin1" = "path"): string {
  const bytes = encoding === "path" ? readPath(text) : Buffer.from(text, "latin1");
  if (encoding === "path" && /^[\w./-]+$/.test(text)) return text;
  // To printf, whose format it is.
  const format = encoding === "latin1";
  const written = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    if (/[\w ./-]/.test(character)) return character;
    return `\\${format ? "\\" : ""}x${byte.toString(16).padStart(2, "0")}`;
  });
  return `$'${written.join("")}'`;
}
