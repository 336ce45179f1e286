/** Logs its arguments to the directory of its first one, each as a chunk, and prints how often it was told of a problem. */
import { createRunLogs } from "../../src/platform/files/run-logs.ts";

const [directory = "", ...chunks] = process.argv.slice(2);
const problems: string[] = [];
const log = createRunLogs(directory, { onProblem: (message) => problems.push(message) }).open("run_1", {
  block: "aa",
  attempt: 1,
});
for (const chunk of chunks) log.write("stdout", Buffer.from(chunk));
log.close();
process.stdout.write(JSON.stringify(problems));
