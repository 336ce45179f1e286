/** Nothing in a text may end the element that it stands in. */

export function asInlineScript(script: string): string {
  return script.replaceAll(/<(?=\/script|!--)/gi, "\\x3C");
}

export function asInlineStyle(style: string): string {
  return style.replaceAll("</", "<\\/");
}
