import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file of code in a folder of src/, sorted. */
export const sources: readonly string[] = readdirSync("src", { encoding: "utf8", recursive: true })
  .map((file) => join("src", file))
  .filter((file) => /^src\/.*\/.*\.ts$/.test(file) && !file.endsWith(".test.ts"))
  .sort();

export function folderOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** The files whose code, without its comments, has such words in it. */
export function filesSaying(words: RegExp, files: readonly string[]): string[] {
  return files.filter((file) => {
    const code = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
    return words.test(code);
  });
}
