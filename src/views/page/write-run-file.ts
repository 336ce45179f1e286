import { createHash } from "node:crypto";
import { asInlineScript, asInlineStyle } from "./inline-code.ts";
import type { FrozenRun } from "./page-records.ts";

/** The page in one piece, as the build leaves it. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

/**
 * One file that shows a run and needs nothing else. It may be opened by anybody anywhere, so it loads and sends nothing: only the script
 * and the style sheet in it are obeyed, and what the run has written is data.
 */
export function writeRunFile(frozen: FrozenRun, { script, style }: PageBundle): string {
  const code = asInlineScript(script);
  const look = asInlineStyle(style);
  const data = JSON.stringify(frozen).replaceAll("<", "\\u003c");
  const policy = `default-src 'none'; script-src '${digest(code)}'; style-src '${digest(look)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const workflow = frozen.levels[""]?.head.workflow ?? "run";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${asText(workflow)} ${asText(frozen.run_id)}</title>
<style>${look}</style>
</head>
<body>
<div id="page"></div>
<script type="application/json" id="frozen">${data}</script>
<script>${code}</script>
</body>
</html>
`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function asText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
