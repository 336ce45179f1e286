import { put } from "./put.ts";

export async function send(part: Part): Promise<number> {
  put(part);
  return part.size;
}

export function describe(part: Part): string {
  return `${part.name}, ${part.size} bytes`;
}
