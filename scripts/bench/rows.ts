/** A line of the report: what was measured, beside what it may be at most. */
export function row(what: string, value: number, target: number, detail = ""): string {
  const verdict = value <= target ? "ok  " : "OVER";
  return `${verdict} ${value.toFixed(3).padStart(8)}  (target ${target})  ${what}${detail === "" ? "" : `  [${detail}]`}`;
}

/** What there is no target for. */
export function figure(what: string, value: number, detail: string): string {
  return `     ${value.toFixed(3).padStart(8)}  ${what}  [${detail}]`;
}

export function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

export function ms(value: number): string {
  return value < 20 ? `${value.toFixed(1)} ms` : `${value.toFixed(0)} ms`;
}
