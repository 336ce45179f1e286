/** The name, beside a file, under which its bytes are written before they take its place. */
export function temporaryName(runId: string, sequence: number, index: number): string {
  return `.${runId}-${sequence}-${index}.tmp`;
}

/** Whether a file is only on its way: it goes by itself, and is nobody's. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".run_") && /^\.run_[0-9a-z]+-\d+-\d+\.tmp$/.test(name);
}
