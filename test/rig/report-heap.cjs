// Loaded into a server under test: after SIGUSR2 it collects garbage and tells on stderr how much is left.
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
process.on("SIGUSR2", () => {
  collect();
  setImmediate(() => {
    collect();
    process.stderr.write(`heap ${process.memoryUsage().heapUsed}\n`);
  });
});
