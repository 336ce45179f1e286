import { relative } from "node:path";
import { beforeEach } from "vitest";
import { whyLeftOut } from "./not-on-postgres.ts";

// Loaded before every test file of `npm run on-postgres`, and of nothing else.
beforeEach(({ task, skip }) => {
  const names = [task.name];
  for (let { suite } = task; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  const reason = whyLeftOut(relative(process.cwd(), task.file.filepath), names.join(" ").trim());
  if (reason !== undefined) skip(reason);
});
