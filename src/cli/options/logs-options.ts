import { Option } from "commander";

export const logsModes = ["auto", "all", "failed", "none"] as const;

export interface LogsOptions {
  /** `-v` says `all` here. */
  readonly logs?: (typeof logsModes)[number];
}

/** For the commands that drive a run. */
export function logsOption(): Option {
  return new Option(
    "--logs <which>",
    "show what commands write: `all` as it comes, `failed` of blocks that failed, `none`; `auto` is `all`, but on a terminal the tree alone",
  )
    .choices(logsModes)
    .default("auto");
}

export function verboseOption(): Option {
  return new Option("-v, --verbose", "the same as --logs all").implies({ logs: "all" });
}
