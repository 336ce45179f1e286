export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a server tells whoever runs it. Never what a run was given or gave. */
export type Log = (
  level: LogLevel,
  message: string,
  details?: Readonly<Record<string, string | number | boolean>>,
) => void;
