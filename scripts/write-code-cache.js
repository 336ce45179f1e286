// Runs a bundle once and keeps what V8 has compiled by then: `node scripts/write-code-cache.js LOADER BUNDLE [argument...]`.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [loader, bundle, ...args] = process.argv.slice(2);
const { codeCacheFile, compileApp } = await import(pathToFileURL(loader).href);
const { app, script } = compileApp(bundle);
const code = await app.main(args);
if (code !== 0) throw new Error(`${bundle} ${args.join(" ")} ended with ${code}.`);
writeFileSync(codeCacheFile(bundle), script.createCachedData());
