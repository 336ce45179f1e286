const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `12s ago`, `5m ago`, `3h ago`, `2d ago`, and the date of what was long ago. */
export function formatAge(at: string, now: number): string {
  const age = Math.max(0, now - Date.parse(at));
  if (age < minute) return `${Math.floor(age / 1000)}s ago`;
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < 2 * day) return `${Math.floor(age / hour)}h ago`;
  return age < 30 * day ? `${Math.floor(age / day)}d ago` : formatTime(at).slice(0, 10);
}

/** `2030-01-31 17:05:09`, where the reader is. */
export function formatTime(at: string): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  const days = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())];
  return `${days.join("-")} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** Of what sleeps, or should no longer do so. */
export function describeWaking(wakeAt: string, now: number): string {
  return Date.parse(wakeAt) <= now
    ? `should have gone on at ${formatTime(wakeAt)}: \`frond recover\` wakes it`
    : `sleeps until ${formatTime(wakeAt)}`;
}
