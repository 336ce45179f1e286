import { quoteWord } from "../util/quote-word.ts";

/** What an advised command needs to mean the same directory: nothing for the one it is typed in. */
export function sameDirectory(directory: string, option: "" | "--workspace" = ""): string {
  if (directory === ".") return "";
  return `${option === "" ? "" : ` ${option}`} ${quoteWord(directory, "posix")}`;
}
