// A process that is kept for many command lines, one at a time. Each finds its bundle as if it had just been loaded, and has streams,
// an environment and a working directory of its own. It ends with the process that sends them.
const { readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { dirname } = require("node:path");
const { PassThrough, Writable } = require("node:stream");
const vm = require("node:vm");

/** Compiled once for all command lines. */
const compiled = new Map();
const held = [];
let input = new PassThrough();

process.on("disconnect", () => process.exit());
process.on("message", ({ line, stdin, isEnd }) => {
  if (line !== undefined) void run(line);
  if (stdin !== undefined) input.write(stdin);
  if (isEnd) input.end();
});
const ownListeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
const ownResources = process.getActiveResourcesInfo().length;

async function run({ bundle, args, directory, env }) {
  process.chdir(directory);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  input = new PassThrough();
  for (const [name, value] of Object.entries({ stdout: sending("stdout"), stderr: sending("stderr"), stdin: input }))
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
  const code = await loadApp(bundle).main(args);
  // As the bin does: a server ends whatever it still has open, and such a process is not kept.
  const isAtRest = await atRest(bundle.endsWith("app.cjs") ? Number.POSITIVE_INFINITY : 200);
  removeListeners();
  // The directory of a test is removed with the test.
  process.chdir("/");
  process.send({ code, isAtRest }, () => isAtRest || process.exit());
}

/** Anew for each command line, so that none finds what another has left in the modules. */
function loadApp(bundle) {
  const requireForBundle = nodeModule.createRequire(bundle);
  if (!compiled.has(bundle)) {
    const options = { filename: bundle, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
    compiled.set(bundle, new vm.Script(nodeModule.wrap(readFileSync(bundle, "latin1")), options));
    holdDatabases(requireForBundle);
  }
  const module = { exports: {} };
  const load = compiled.get(bundle).runInThisContext();
  load.call(module.exports, module.exports, requireForBundle, module, bundle, dirname(bundle));
  return module.exports;
}

/**
 * libsql closes a database when its last statement is collected as garbage, and files go with it. A process of its own ends before
 * that; here it would happen at some later moment, in the middle of a test.
 */
function holdDatabases(requireForBundle) {
  const Libsql = requireForBundle("libsql");
  if (Libsql.isHeld) return;
  require.cache[requireForBundle.resolve("libsql")].exports = class extends Libsql {
    static isHeld = true;
    prepare(sql) {
      const statement = super.prepare(sql);
      held.push(statement);
      return statement;
    }
  };
}

/** A process of its own would not end before the last timer, socket and child that it waits for. Whether that came within the time. */
async function atRest(mostMs) {
  const began = performance.now();
  while (process.getActiveResourcesInfo().length > ownResources) {
    if (performance.now() - began > mostMs) return false;
    await new Promise((done) => setTimeout(done, 1).unref());
  }
  return true;
}

function removeListeners() {
  for (const name of process.eventNames()) {
    const own = ownListeners.get(name) ?? [];
    const others = process.rawListeners(name).filter((listener) => !own.includes(listener));
    for (const listener of others) process.removeListener(name, listener);
  }
}

function sending(name) {
  return new Writable({ write: (chunk, _encoding, done) => void process.send({ [name]: chunk }, () => done()) });
}
