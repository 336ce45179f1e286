import type { ServerSettings } from "../runs/server-settings.ts";
import type { Tool } from "./tool.ts";

/** Those that the server's user lets clients have. */
export function chooseTools<Some extends Pick<Tool, "toolset" | "effect" | "takesText">>(
  tools: readonly Some[],
  settings: ServerSettings,
): readonly Some[] {
  return tools.filter(
    ({ toolset, effect, takesText }) =>
      settings.toolsets.includes(toolset) &&
      (effect === "reads" || !settings.isReadOnly) &&
      (takesText !== true || settings.allowsInline),
  );
}

/** Whether clients may let workflows run at all, by whatever way the protocol has for it. */
export function mayRun(settings: ServerSettings): boolean {
  return chooseTools([{ toolset: "core", effect: "runs" }], settings).length > 0;
}
