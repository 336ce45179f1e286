import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadApp } from "../../src/load-app.ts";

process.exitCode = await loadApp(dirname(fileURLToPath(import.meta.url))).main(process.argv.slice(2));
