// Loaded into Frond before its own code (`node --require`): every step that changes the workspace, the kept bytes or the journal is a place
// to die, before it and after it. FROND_FAULT_LOG: a file to which the name of each is added. FROND_FAULT_AT: the number of the one to die at.
const fs = require("node:fs");
const promises = require("node:fs/promises");
const childProcess = require("node:child_process");
const Module = require("node:module");
const { getEnvironmentData, isMainThread, setEnvironmentData } = require("node:worker_threads");

const { FROND_FAULT_LOG: log, FROND_FAULT_AT: killAt, FROND_FAULT_WORKSPACE: workspace } = process.env;
const stateDirectory = process.env.FROND_STATE_DIR;
const { appendFileSync, readlinkSync, constants } = fs;

// Threads load this too, and one count is for all of them: a point has one number.
if (isMainThread) setEnvironmentData("faults", new SharedArrayBuffer(4));
const count = new Int32Array(getEnvironmentData("faults"));

function pass(name) {
  const dies = Atomics.add(count, 0, 1) + 1 === Number(killAt);
  if (log !== undefined) appendFileSync(log, `${dies ? "killed " : ""}${name}\n`);
  if (dies) process.kill(process.pid, "SIGKILL");
}

// Directories are held by their descriptors, so a path mostly begins with one.
function areaOf(path) {
  let text = Buffer.isBuffer(path) ? path.toString("latin1") : String(path);
  const held = /^\/proc\/self\/fd\/\d+/.exec(text)?.[0];
  if (held !== undefined) {
    try {
      text = readlinkSync(held) + text.slice(held.length);
    } catch {
      return undefined;
    }
  }
  if (text.startsWith(`${stateDirectory}/blobs`)) return "blobs";
  return text.startsWith(`${workspace}/`) ? "workspace" : undefined;
}

const writing = constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT;

function isWriting(flags) {
  return typeof flags === "number" ? (flags & writing) !== 0 : typeof flags === "string" && flags !== "r";
}

// A promise is waited for, so that "after" is when the step is done.
function around(name, area, action) {
  if (area === undefined) return action();
  pass(`before ${name} ${area}`);
  const result = action();
  if (typeof result?.then !== "function") {
    pass(`after ${name} ${area}`);
    return result;
  }
  return result.then((value) => {
    pass(`after ${name} ${area}`);
    return value;
  });
}

function wrap(module, name, areaOfCall) {
  const original = module[name];
  if (typeof original !== "function") return;
  module[name] = function (...args) {
    return around(name.replace(/Sync$/, ""), areaOfCall.call(this, ...args), () => original.apply(this, args));
  };
}

const firstPath = (path) => areaOf(path);
const secondPath = (_, path) => areaOf(path);
const named = {
  ...{ rename: secondPath, link: secondPath, symlink: secondPath, copyFile: secondPath },
  ...{ unlink: firstPath, mkdir: firstPath, rmdir: firstPath, rm: firstPath, chmod: firstPath, writeFile: firstPath },
};
for (const [name, area] of Object.entries(named)) {
  wrap(promises, name, area);
  wrap(fs, `${name}Sync`, area);
}
const opened = (path, flags) => (isWriting(flags) ? areaOf(path) : undefined);
const byDescriptor = (fd) => (typeof fd === "number" ? areaOf(`/proc/self/fd/${fd}`) : undefined);
wrap(promises, "open", opened);
wrap(fs, "openSync", opened);
for (const name of ["writeSync", "fsyncSync", "fchmodSync"]) wrap(fs, name, byDescriptor);

// Who syncs is told by a callback, so "after" is before that is called.
const { fsync } = fs;
fs.fsync = (fd, callback) => {
  const area = byDescriptor(fd);
  if (area === undefined) return fsync(fd, callback);
  pass(`before fsync ${area}`);
  return fsync(fd, (error) => {
    if (error === null) pass(`after fsync ${area}`);
    callback(error);
  });
};

// Its class has no name outside: the first handle tells it.
const { open } = promises;
let isPatched = false;
promises.open = async (...args) => {
  const handle = await open(...args);
  if (isPatched) return handle;
  isPatched = true;
  const prototype = Object.getPrototypeOf(handle);
  for (const name of ["write", "writeFile", "sync", "chmod", "truncate"]) {
    wrap(prototype, name, function () {
      return byDescriptor(this.fd);
    });
  }
  return handle;
};

wrap(childProcess, "spawn", () => "process");

// What the next commit makes durable: no point by itself, but it tells in which phase of a run the points around it are.
function noteEvent(body) {
  if (log !== undefined) appendFileSync(log, `event ${/"type":"([^"]+)"/.exec(body)?.[1]}\n`);
}

// Whoever brings SQLite: what a transaction has written exists from its COMMIT on.
function watchDatabase(Database) {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (sql, ...more) {
    const statement = prepare.call(this, sql, ...more);
    const { run } = statement;
    if (sql === "COMMIT") {
      statement.run = (...values) => around("commit", "journal", () => run.apply(statement, values));
    } else if (sql.startsWith("INSERT INTO commits ")) {
      statement.run = (...values) => {
        for (const body of String(values.flat()[3]).split("\n")) noteEvent(body);
        return run.apply(statement, values);
      };
    }
    return statement;
  };
}
const { _load: load } = Module;
Module._load = function (request, ...more) {
  const loaded = load.call(this, request, ...more);
  if (request === "libsql" && !loaded.isWatched) {
    loaded.isWatched = true;
    watchDatabase(loaded);
  }
  return loaded;
};
const sqlite = process.getBuiltinModule?.("node:sqlite");
if (sqlite !== undefined) watchDatabase(sqlite.DatabaseSync);
