import { isAbsolute, relative, resolve, sep } from "node:path";
import { cleanText } from "../text/visible-text.ts";

/** Something that GitHub shows beside the lines of a file, and on the page of a job. */
export interface Annotation {
  readonly level: "error" | "warning";
  readonly title: string;
  readonly message: string;
  /** As it is reached from here. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
  readonly column?: number | undefined;
  readonly endColumn?: number | undefined;
}

/** What the runner of GitHub Actions obeys in the output of a step. */
export interface GitHubCommands {
  annotate(annotation: Annotation): void;
  openGroup(title: string): void;
  closeGroup(): void;
  /** Whether a file lies in the repository, so that it can be annotated. */
  holds(file: string): boolean;
}

/** GitHub shows no more of a message. */
const longestMessage = 4_000;

/** `root` is the directory of the repository. */
export function createGitHubCommands(
  root: string,
  write: (line: string) => void,
  writeError: (line: string) => void,
): GitHubCommands {
  const pathOf = (file: string): string | undefined => {
    const path = relative(resolve(root), resolve(file));
    return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path.split(sep).join("/");
  };
  return {
    annotate({ level, title, message, ...at }) {
      const file = at.file === undefined ? undefined : pathOf(at.file);
      const isOneLine = at.endLine === undefined || at.endLine === at.line;
      const properties = Object.entries({
        ...(file === undefined
          ? {}
          : {
              file,
              line: at.line,
              endLine: at.endLine,
              // GitHub takes columns within one line only.
              ...(isOneLine ? { col: at.column, endColumn: at.endColumn } : {}),
            }),
        title: cleanText(title).replaceAll("\n", " "),
      }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`]));
      const text = cleanText(message).trim().slice(0, longestMessage);
      writeError(`::${level} ${properties.join(",")}::${escapeData(text)}\n`);
    },
    openGroup: (title) => write(`::group::${escapeData(cleanText(title).replaceAll("\n", " "))}\n`),
    closeGroup: () => write("::endgroup::\n"),
    holds: (file) => pathOf(file) !== undefined,
  };
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Text from anywhere, so that the runner obeys nothing in it. It obeys what stands between `::` at the start of a line, whatever blanks
 * are before it, and, from older times, what stands in `##[...]` anywhere. Pausing the runner with `stop-commands` would do the same for
 * what commands write, but not for messages and outputs that quote them.
 */
export function disarm(text: string): string {
  if (!text.includes("::") && !text.includes("##[")) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line may begin with one of our colours.
  return text.replaceAll(/^((?:\s|\u001b\[\d+m)*):(?=:)/gm, "$1: ").replaceAll(/##(?=\[)/g, "## ");
}

/** The same in JSON, which stays what it says. */
export function disarmJson(text: string): string {
  return text.replaceAll("##[", "##\\u005b");
}
