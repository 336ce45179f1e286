import { readFileSync } from "node:fs";
import { extname } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly isFixed: boolean;
}

/** The files of the page, which the build leaves beside the bundles. Read when they are asked for, and kept. */
export function createPageFiles(): { find(name: string): PageFile | undefined } {
  const directory = new URL("page/", import.meta.url);
  const known = new Map<string, PageFile>();
  return {
    find(name) {
      const type = types[extname(name)];
      if (type === undefined || !/^[\w.-]+$/.test(name)) return undefined;
      let file = known.get(name);
      if (file === undefined) {
        try {
          const bytes = readFileSync(new URL(name, directory));
          file = { type, bytes, isFixed: name !== "index.html" };
        } catch {
          return undefined;
        }
        known.set(name, file);
      }
      return file;
    },
  };
}
