import type { ParsedWord, Word } from "./shell-syntax.ts";

/** A word that names a file, from the given character on. */
export interface NamedFile {
  readonly word: ParsedWord;
  readonly from: number;
}

type Select = (parameters: readonly Word[]) => readonly NamedFile[];

/** What a program does with files that its arguments name. */
interface FileUse {
  /** The files that get what it prints. */
  readonly writes?: Select;
  /** Whether the last operand gets what the others hold. */
  readonly copies?: boolean;
  /** The files and directories that it makes. */
  readonly makes?: Select;
  /** How the names begin and end that it gives to parts of what it reads. */
  readonly parts?: { readonly prefix: string; readonly endings: readonly string[] };
}

const operands: Select = (parameters) =>
  parameters.filter(({ text }) => !/^-./s.test(text)).map(({ parsed }) => ({ word: parsed, from: 0 }));

const second: Select = (parameters) => operands(parameters).slice(1);

/** The argument of an option, attached or not. */
function behindOption(option: RegExp): Select {
  return (parameters) =>
    parameters.flatMap(({ text, parsed }, index) => {
      const head = option.exec(text)?.[0];
      if (head === undefined) return [];
      if (head.length < text.length) return [{ word: parsed, from: head.length }];
      const next = parameters[index + 1];
      return next === undefined || /^\w+=$/.test(head) ? [] : [{ word: next.parsed, from: 0 }];
    });
}

function writingTo(writes: Select): FileUse {
  return { writes, makes: writes };
}

const copying: FileUse = { copies: true, makes: operands };
const making: FileUse = { makes: operands };
const archive: FileUse = {
  makes: (parameters) =>
    /^-?[A-Za-z]*[cru]|^--create/.test(parameters[0]?.text ?? "")
      ? behindOption(/^(?:-?[A-Za-z]*f|--file=?)$/)(parameters.slice(0, 3))
      : [],
};

const programs: ReadonlyMap<string, FileUse> = new Map<string, FileUse>([
  ...["cp", "mv", "ln", "install", "rsync", "scp"].map((name) => [name, copying] as const),
  ...["touch", "mkdir", "mkfifo", "mknod", "mktemp", "truncate"].map((name) => [name, making] as const),
  ...["git clone", "git init", "git worktree", "git mv"].map((name) => [name, making] as const),
  ["tee", writingTo(operands)],
  ["sponge", writingTo(operands)],
  ["dd", writingTo(behindOption(/^of=/))],
  ["sort", writingTo(behindOption(/^(?:-[a-z]*o|--o[a-z]*=?)/))],
  ["uniq", writingTo(second)],
  ["curl", writingTo(behindOption(/^(?:-[A-Za-z]*o|--output=?)/))],
  ["wget", writingTo(behindOption(/^(?:-[A-Za-z]*O|--output-document=?)/))],
  ["openssl", writingTo(behindOption(/^-out$/))],
  ["history", writingTo(behindOption(/^-[a-z]*[wa]$/))],
  ["tar", archive],
  ["bsdtar", archive],
  ["zip", { makes: (parameters) => operands(parameters).slice(0, 1) }],
  ["split", { parts: { prefix: "x", endings: ["aa", "ab"] } }],
]);

/** The files that a program writes what it prints to. */
export function filesWritten(name: string, parameters: readonly Word[]): readonly NamedFile[] {
  const use = programs.get(name);
  if (use?.parts === undefined) return use?.writes?.(parameters) ?? [];
  const { prefix, endings } = use.parts;
  const [, named] = operands(parameters);
  return endings.map((ending) => {
    const last = { kind: "text", text: ending } as const;
    const word = named?.word ?? { ...noWord, pieces: [{ kind: "text", text: prefix }] };
    return { word: { ...word, pieces: [...word.pieces, last] }, from: 0 };
  });
}

const noWord: ParsedWord = {
  ...{ start: 0, end: 0, pieces: [], quoted: false, glob: false },
  ...{ assigns: undefined, elements: undefined, consumers: [] },
};

export function copiesFiles(name: string): boolean {
  return programs.get(name)?.copies === true;
}

/** The names of files and directories that a program makes. */
export function namesMade(name: string, parameters: readonly Word[]): readonly NamedFile[] {
  return programs.get(name)?.makes?.(parameters) ?? [];
}

export function makesNames(name: string): boolean {
  return programs.get(name)?.makes !== undefined;
}

/** Programs that write files, wherever among the words of a command they are named: behind `sudo`, `docker exec box`. */
export const fileWriters: ReadonlySet<string> = new Set(["tee", "sponge", "dd", "cp", "mv", "ln", "install"]);

/** Programs that print something else than their arguments. */
export const fetching: ReadonlySet<string> = new Set(["curl", "wget", "git", "gh", "aws", "docker", "kubectl", "ssh"]);

/** Programs that print names of files. */
export const listing: ReadonlySet<string> = new Set([
  ...["ls", "find", "fd", "tar", "stat", "du", "rg", "grep", "realpath", "readlink", "compgen"],
  ...["git ls-files", "git ls-tree", "git diff", "git status"],
]);

/** How programs of awk, Python, JavaScript, Perl, Ruby and jq read variables, and the kernel's own list of them. */
export const readsEnvironment: RegExp =
  /\bENVIRON\b|\bos\.(?:environ|getenv)|\bimport\s+(?:environ|getenv)\b|\bprocess\.env\b|\{\s*env\b[^}]*\}\s*=\s*process|\$ENV\b|\bENV\[|\benv\.\w|\benv\s*[|[]|^\/proc\/[^/]+\/environ$/;

/** How programs print the directory that they are started in. */
export const readsDirectory: RegExp = /\bgetcwd\b|\bprocess\.cwd\b|\bPath\.cwd\b|\bDir\.pwd\b|^--show-toplevel$/;

/** Programs that take `NAME=value` before the command they start. */
export const assigningLaunchers: ReadonlySet<string> = new Set(["env", "sudo", "doas"]);

const sedWrites = /(?:^|[;{}\d$/gpiI])\s*w\s*([\w./-]+)\s*$/gm;
const awkWrites = /\bprintf?\b[^;}\n]*>\s*"([^"]+)"/g;
const openWrites =
  /\bopen\s*\(\s*["']([^"']+)["']\s*,\s*["'][wax]|\bwriteFile(?:Sync)?\s*\(\s*["'`]([^"'`]+)|\bPath\(\s*["']([^"']+)["']\s*\)\.write/g;

/** The files that a program in another language writes, as far as it names them. */
export function filesNamedIn(name: string, text: string): string[] {
  const shape = /^g?sed$/.test(name) ? sedWrites : /awk$/.test(name) ? awkWrites : openWrites;
  return [...text.matchAll(shape)].flatMap(([, ...names]) => names.filter((found) => found !== undefined));
}

/** Whether a program in another language makes a file of a name that it computes. */
export function makesComputed(text: string): boolean {
  return /\bopen\s*\(\s*(?!["'])[^)]*,\s*["'][wax]|\bwriteFile(?:Sync)?\s*\(\s*(?!["'`])/.test(text);
}

export function isProgramLanguage(name: string): boolean {
  return /^(?:python|pypy|node|perl|ruby|bun|deno|g?sed|[gmn]?awk)[0-9.]*$/.test(name);
}
