/** `340ms`, `2.1s`, `3m 05s`: always short, never more exact than useful. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(Math.floor(seconds % 60)).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

/** The same for something that goes on: only what a person can follow changes. */
export function formatElapsed(milliseconds: number): string {
  return milliseconds < 1000
    ? `${(Math.floor(milliseconds / 100) / 10).toFixed(1)}s`
    : formatMilliseconds(milliseconds);
}
