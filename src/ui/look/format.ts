/** `340ms`, `2.1s`, `3m 05s`, `1h 12m`, `2d 3h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(Math.floor(seconds % 60)).padStart(2, "0")}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${String(minutes % 60).padStart(2, "0")}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

// Made once: to make one takes longer than to write a hundred times with it.
const hourFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** The time of day; the date, too, where it is another day than `now`. */
export function formatTime(at: string, now: number = Date.now()): string {
  const date = new Date(at);
  const time = hourFormat.format(date);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${dayFormat.format(date)} ${time}`;
}

/** With seconds, as logs have it. */
export function formatClock(at: number | string): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}
