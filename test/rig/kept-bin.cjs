// A process that is kept for many command lines, one at a time. Each finds the built bundle as if it had just been loaded, and has
// streams, an environment and a working directory of its own. It ends with the process that sends them.
const { readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { dirname } = require("node:path");
const { Readable, Writable } = require("node:stream");
const vm = require("node:vm");

const [, , bundle] = process.argv;
const requireForBundle = nodeModule.createRequire(bundle);
const script = new vm.Script(nodeModule.wrap(readFileSync(bundle, "latin1")), {
  filename: bundle,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});

holdDatabases();
process.on("disconnect", () => process.exit());
process.on("message", (line) => void run(line));
const ownListeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
const ownResources = process.getActiveResourcesInfo().length;

async function run({ args, directory, env, stdin }) {
  process.chdir(directory);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const [stdout, stderr] = [new Collected(), new Collected()];
  const input = Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)], { objectMode: false });
  for (const [name, value] of Object.entries({ stdout, stderr, stdin: input }))
    Object.defineProperty(process, name, { configurable: true, enumerable: true, value });
  const code = await loadApp().main(args);
  await atRest();
  removeListeners();
  // The directory of a test is removed with the test.
  process.chdir("/");
  process.send({ code, stdout: stdout.text(), stderr: stderr.text() });
}

/** Anew for each command line, so that none finds what another has left in the modules. */
function loadApp() {
  const module = { exports: {} };
  script.runInThisContext().call(module.exports, module.exports, requireForBundle, module, bundle, dirname(bundle));
  return module.exports;
}

/**
 * libsql closes a database when its last statement is collected as garbage, and files go with it. A process of its own ends before
 * that; here it would happen at some later moment, in the middle of a test.
 */
function holdDatabases() {
  const held = [];
  const Libsql = requireForBundle("libsql");
  require.cache[requireForBundle.resolve("libsql")].exports = class extends Libsql {
    prepare(sql) {
      const statement = super.prepare(sql);
      held.push(statement);
      return statement;
    }
  };
}

/** A process of its own would not end before the last timer, socket and child that it waits for. */
async function atRest() {
  const isWaiting = () => process.getActiveResourcesInfo().length > ownResources;
  while (isWaiting()) await new Promise((done) => setTimeout(done, 1).unref());
}

function removeListeners() {
  for (const name of process.eventNames()) {
    const own = ownListeners.get(name) ?? [];
    const others = process.rawListeners(name).filter((listener) => !own.includes(listener));
    for (const listener of others) process.removeListener(name, listener);
  }
}

class Collected extends Writable {
  #chunks = [];

  _write(chunk, _encoding, done) {
    this.#chunks.push(chunk);
    done();
  }

  text() {
    return Buffer.concat(this.#chunks).toString();
  }
}
