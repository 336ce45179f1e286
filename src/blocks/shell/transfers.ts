import { posix } from "node:path";
import { behindLaunchers } from "./files-run.ts";
import { programName } from "./interpreters.ts";
import { hasValue, isLiteral, literalText, type ParsedRedirect, type PlacedSlot, type Word } from "./shell-syntax.ts";

/** A file that gets its contents from where a value says. */
export interface Transfer {
  /** The last part of its name; empty when it may be any. */
  readonly name: string;
  readonly slots: readonly PlacedSlot[];
}

const copying = /^(?:cp|mv|ln|install|rsync|scp)$/;
const fetching = /^(?:curl|wget)$/;
const unpacking = /^(?:unzip|7z|7za|cpio|unrar|patch|bunzip2|gunzip)$/;
/** What brings another state of the files into the directory. */
const gitTasks =
  /^(?:clone|checkout|switch|apply|am|pull|fetch|merge|rebase|reset|restore|cherry-pick|worktree|submodule|stash)$/;

/** `cp "${inputs.v}" run.sh`, `curl -o x "${inputs.v}"`, `tar -xf "${inputs.v}"`. */
export function transferOf(words: readonly Word[], redirects: readonly ParsedRedirect[]): Transfer | undefined {
  const [program, ...parameters] = behindLaunchers(words);
  if (program === undefined) return undefined;
  const name = programName(program);
  if (copying.test(name)) {
    const operands = parameters.filter((word) => !word.text.startsWith("-"));
    const [target, sources] = [operands.at(-1), operands.slice(0, -1)];
    return transfer(target, sources);
  }
  if (fetching.test(name)) {
    const output = parameters.findIndex((word) => /^(?:-[A-Za-z]*[oO]|--output(?:-document)?)$/.test(word.text));
    const written = redirects.find(({ operator }) => operator.startsWith(">"));
    if (output !== -1) return transfer(parameters[output + 1], parameters);
    const known = written === undefined ? undefined : literalText(written.target);
    const isPlain = name === "curl" && !parameters.some((word) => /^(?:-[A-Za-z]*O|--remote-name)/.test(word.text));
    if (written === undefined && isPlain) return undefined;
    return named(known === undefined ? "" : posix.basename(known), parameters);
  }
  const unpacks =
    unpacking.test(name) ||
    (/^(?:bsd)?tar$/.test(name) && parameters.some(({ text }) => /^-?[A-Za-z]*x|^--extract/.test(text))) ||
    (name === "git" && parameters.some(({ text }) => gitTasks.test(text)));
  return unpacks ? named("", parameters) : undefined;
}

/** A target without a dot in its name may be a directory. */
function transfer(target: Word | undefined, sources: readonly Word[]): Transfer | undefined {
  const name = target === undefined || !isLiteral(target) ? "" : posix.basename(target.text);
  return named(/[^.]\./.test(name) ? name : "", sources);
}

function named(name: string, sources: readonly Word[]): Transfer | undefined {
  const slots = sources.filter(hasValue).flatMap((word) => word.slots);
  return slots.length === 0 ? undefined : { name, slots };
}
