import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Range } from "../diagnostic/source.ts";

/** A file of a case lies in its workspace and nowhere else. */
export function checkWorkspacePath(path: string, range: Range, report: Report): void {
  const parts = path.split("/");
  if (!path.startsWith("/") && !path.includes("\0") && parts.every((part) => !["", ".", ".."].includes(part))) return;
  const message = `'${path}' is not the path of a file in the workspace.`;
  const fix = "Write it relative to the workspace, without `.` and `..`.";
  report({ code: "bad-path", level: "error", message, fix, range });
}
