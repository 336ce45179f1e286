import { fileURLToPath } from "node:url";
import { loadApp } from "../../src/load-app.ts";

process.exitCode = await loadApp(fileURLToPath(new URL("app.cjs", import.meta.url))).main(process.argv.slice(2));
