// How many bytes the page costs a browser, compressed: all of it, and what it loads before it can show the list of runs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** In bytes. What a file of a run is made of, alone.js and alone.css, nobody loads. */
export function measurePage(directory) {
  const read = (name) => readFileSync(join(directory, name));
  const sizes = (names) => [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
  const reach = (pattern, name, found = new Set()) => {
    found.add(name);
    for (const [, next] of read(name).toString("utf8").matchAll(pattern))
      if (!found.has(next)) reach(pattern, next, found);
    return found;
  };
  // A script that is loaded later is named in parentheses.
  return {
    firstView: sizes(reach(/(?:"\/assets\/|(?:from|import)\s*"\.\/)([^"]+)"/g, "index.html")),
    all: sizes(reach(/(?:"\/assets\/|(?:from|import)\s*(?:"|\(`)\.\/)([^"`]+)["`]/g, "index.html")),
  };
}
