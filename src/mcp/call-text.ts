/** A call as a model makes it. */
export function callText(tool: string, args: object): string {
  return `${tool}(${JSON.stringify(args)})`;
}
