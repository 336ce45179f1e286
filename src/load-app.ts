import { readFileSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

interface App {
  main(args: readonly string[]): Promise<number>;
}

const directory = dirname(fileURLToPath(import.meta.url));
const bundle = join(directory, "app.cjs");

/**
 * Loads the bundle without compiling it anew at every start. Node 22 keeps compiled code by itself; for Node 20 the build leaves
 * V8's code cache beside the bundle, which V8 ignores when it was made by another version.
 */
export function loadApp(): App {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void };
  if (enableCompileCache === undefined) return runCached();
  enableCompileCache();
  return createRequire(import.meta.url)(bundle) as App;
}

function runCached(): App {
  const cachedData = readOptional(join(directory, "app.cache"));
  const script = new vm.Script(nodeModule.wrap(readFileSync(bundle, "utf8")), {
    filename: bundle,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(bundle), module, bundle, directory);
  return module.exports as App;
}

function readOptional(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
