/** How text is spelled in each kind of quotes so that the shell leaves it as it is. */

export function escapeSingleQuoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

export function escapeAnsiQuoted(text: string): string {
  return text.replaceAll(/[\\']/g, "\\$&");
}

export function escapeDoubleQuoted(text: string): string {
  return text.replaceAll(/[$`"\\]/g, "\\$&");
}

/** In the body of an unquoted here-document. */
export function escapeBody(text: string): string {
  return text.replaceAll(/[\\$`]/g, "\\$&");
}
