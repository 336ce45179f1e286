/** A word as it is typed at a prompt: of a POSIX shell, or of cmd and PowerShell. */
export function quoteWord(word: string, platform: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === "win32") return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
