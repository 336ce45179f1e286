import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

/** Extensions are never required by a revision; this one we promise. */
const promised = /^tasks-/;
/** The suite has no check for these notifications yet, and says so by skipping its only one. */
const unchecked = new Set(["tasks-status-notifications"]);

/** What each scenario has shown: the required ones first, in the suite's order. */
export function readResults(suite, revision, output) {
  const file = join(dirname(dirname(suite)), "requirements", `${revision}.yaml`);
  const { server, not_scored: others = [] } = parse(readFileSync(file, "utf8"));
  const checks = readChecks(output);
  const extra = others.filter(({ leg }) => leg === "server").map(({ scenario }) => scenario);
  const required = [...server, ...extra.filter((name) => promised.test(name))];
  const optional = extra.filter((name) => !promised.test(name));
  return [
    ...required.map((name) => judge(name, checks.get(name) ?? [], true)),
    ...optional.map((name) => judge(name, checks.get(name) ?? [], false)),
  ];
}

/** By scenario; the suite writes each into a directory named after it and the time. */
function readChecks(output) {
  const found = new Map();
  for (const directory of readdirSync(output)) {
    const [, name] = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(directory) ?? [];
    if (name !== undefined) found.set(name, JSON.parse(readFileSync(join(output, directory, "checks.json"), "utf8")));
  }
  return found;
}

/** A warning is something that a server should do: we do. */
function judge(name, checks, isRequired) {
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  const missed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const isFine = missed.length === 0 && (passed > 0 || unchecked.has(name));
  return { name, passed, total: passed + missed.length, missed, isRequired, isFine };
}
