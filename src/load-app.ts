import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import vm from "node:vm";
import type { Greeted } from "./greet.ts";

export interface App {
  /** `greeted` is what a client has said and heard already. */
  main(args: readonly string[], greeted?: Greeted): Promise<number>;
}

/**
 * Loads a bundle without compiling it anew at every start. Node 22 keeps compiled code by itself; for Node 20 the build leaves
 * V8's code cache beside the bundle, or, where the package was installed without one, the first process that ends.
 */
export function loadApp(bundle: string): App {
  const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void };
  if (enableCompileCache === undefined) {
    const cached = readCodeCache(bundle);
    const { app, script } = compileApp(bundle, cached);
    if (cached === undefined) process.once("exit", () => keepCodeCache(bundle, script));
    return app;
  }
  enableCompileCache();
  const filename = resolve(bundle);
  return createRequire(filename)(filename) as App;
}

export interface CompiledApp {
  readonly app: App;
  readonly script: vm.Script;
}

export function compileApp(bundle: string, cachedData?: Buffer): CompiledApp {
  const filename = resolve(bundle);
  // The build writes nothing but ASCII, which is read faster when nobody looks for anything else.
  const script = new vm.Script(nodeModule.wrap(readFileSync(filename, "latin1")), {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(filename), module, filename, dirname(filename));
  return { app: module.exports as App, script };
}

/**
 * Named after the very binary that made it: V8 refuses the cache of another V8, but takes one made by another build of the same
 * V8, and crashes on it.
 */
export function codeCacheFile(bundle: string): string {
  const { size, mtimeMs } = statSync(process.execPath);
  const maker = `${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}`;
  return join(dirname(bundle), `${basename(bundle, ".cjs")}-${maker}.cache`);
}

/** Whole or not at all, for processes that start meanwhile; not at all where the package can't be written to. */
function keepCodeCache(bundle: string, script: vm.Script): void {
  try {
    const file = codeCacheFile(bundle);
    if (existsSync(file)) return;
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, script.createCachedData());
    renameSync(unfinished, file);
  } catch {
    // The next start compiles again.
  }
}

/** Whether V8 refuses the code cache of a bundle, as it does under other flags than those it was made with. */
export function refusesCodeCache(bundle: string): boolean {
  const cachedData = "enableCompileCache" in nodeModule ? undefined : readCodeCache(bundle);
  if (cachedData === undefined) return false;
  const script = new vm.Script(nodeModule.wrap(readFileSync(bundle, "latin1")), { cachedData });
  return script.cachedDataRejected === true;
}

/** Nothing where there is none, or where the system does not tell which binary this is. */
function readCodeCache(bundle: string): Buffer | undefined {
  try {
    return readFileSync(codeCacheFile(bundle));
  } catch {
    return undefined;
  }
}
