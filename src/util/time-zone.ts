const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which the clocks of a zone are ahead of UTC at a moment; of this machine where no zone is named. */
export function offsetIn(zone: string | undefined): (time: number) => number {
  if (zone === undefined) return (time) => -new Date(time).getTimezoneOffset() * 60_000;
  if (zone === "UTC") return () => 0;
  const format = formatIn(zone);
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const [month, day] = [part("month") - 1, part("day")];
    const local = Date.UTC(part("year"), month, day, part("hour"), part("minute"), part("second"));
    return local - Math.floor(time / 1000) * 1000;
  };
}

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numeric = "numeric";
  const date = { year: numeric, month: numeric, day: numeric } as const;
  const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, ...date, ...time });
  formats.set(zone, format);
  return format;
}

/** Whether it is the name of one, as the IANA has them: UTC, Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  // Offsets, which newer Nodes take, have no daylight saving, which is what a name is for.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatIn(name);
    return true;
  } catch {
    return false;
  }
}
