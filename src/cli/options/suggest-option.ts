/** Options that other programs have for something, and those that do it here, the first that the command has. */
const meanings: readonly (readonly [words: readonly string[], ours: readonly string[], written?: string])[] = [
  [["--param", "--params", "--var", "--set", "--arg", "--args", "--define", "-D"], ["--input"], "--input NAME=VALUE"],
  [["--vars", "--values", "--vars-file", "--params-file", "--input-file"], ["--inputs"], "--inputs FILE"],
  [["--cwd", "--dir", "--directory", "--chdir", "--project", "-C"], ["--workspace"], "--workspace DIR"],
  [
    ["--parallel", "--parallelism", "--workers", "--threads", "--concurrency", "-j"],
    ["--max-parallel", "--jobs"],
  ],
  [["--port", "-p"], ["--http"], "--http PORT"],
  [["--bind", "--address", "--listen"], ["--host"]],
  [
    ["--lines", "--last", "--max", "--count", "--number", "-n"],
    ["--tail", "--limit"],
  ],
  [["--output", "--format", "-o"], ["--json"]],
  [["--match", "--only", "--name", "-k"], ["--filter"]],
  [
    ["--preview", "--simulate", "--check", "--noop", "--dry"],
    ["--dry-run", "--plan"],
  ],
  [["--watch", "--stream", "-w"], ["--follow"]],
  [["--background", "--daemon", "--bg", "-b"], ["--detach"]],
];

/** What to write instead of an option that the command does not have; nothing where only its letters can tell. */
export function suggestOption(option: string, known: readonly string[]): string | undefined {
  const name = option.replace(/=.*$/s, "");
  for (const [words, ours, written] of meanings) {
    const found = words.includes(name) ? ours.find((one) => known.includes(one)) : undefined;
    if (found !== undefined) return `Write \`${written ?? found}\`.`;
  }
  return undefined;
}
