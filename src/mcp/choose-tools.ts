import type { ServerSettings } from "../runs/server-settings.ts";
import type { Tool } from "./tool.ts";

/** Those that the server's user lets clients have. */
export function chooseTools(tools: readonly Tool[], settings: ServerSettings): readonly Tool[] {
  return tools.flatMap((tool) => {
    if (!settings.toolsets.includes(tool.toolset) || (tool.effect !== "reads" && settings.isReadOnly)) return [];
    if (tool.takesText !== true || settings.allowsInline) return [tool];
    return tool.withoutText === undefined ? [] : [tool.withoutText];
  });
}

/** Whether clients may let workflows run at all, by whatever way the protocol has for it. */
export function mayRun(settings: ServerSettings): boolean {
  return settings.toolsets.includes("core") && !settings.isReadOnly;
}
