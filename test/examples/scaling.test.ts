import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readSeconds } from "../../src/util/duration-text.ts";
import { createFrond } from "../rig/frond.ts";

const directory = "examples/scaling";
const read = (name: string): string => readFileSync(join(directory, name), "utf8");

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly image?: string;
  readonly command: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const compose = parse(read("compose.yaml"), { merge: true }) as Compose;
const units = Object.fromEntries(
  readdirSync(directory)
    .filter((name) => name.endsWith(".service"))
    .map((name) => [name, readUnit(read(name))]),
);

/** Its settings, by section and name. */
function readUnit(text: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const sections: Record<string, Record<string, string>> = {};
  let section: Record<string, string> = {};
  for (const line of text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const [, name, key = "", value = ""] = /^\[(\w+)\]$|^(\w+)=(.*)$/.exec(line) ?? [];
    expect(name ?? key, line).not.toBe("");
    if (name === undefined) section[key] = value;
    else sections[name] = section = {};
  }
  return sections;
}

/** Command lines of Frond in them, by where they stand. */
const lines: readonly (readonly [string, string])[] = [
  ...Object.entries(compose.services).flatMap(([name, { command }]) =>
    command
      .filter((word) => word.includes("exec frond "))
      .map((word) => [name, word.replace(/^.*exec /s, "")] as const),
  ),
  ...Object.entries(units).map(
    ([name, { Service }]) => [name, Service?.ExecStart?.replace("/usr/local/bin/", "") ?? ""] as const,
  ),
];

test.each(lines)("what %s starts is a command that there is, with options that it has: %s", async (_, line) => {
  const [program, command = "", ...rest] = line.trim().split(/\s+/);
  expect(program).toBe("frond");
  const { code, stdout } = await createFrond().run([command, "--help"]);
  expect(code).toBe(0);
  const options = rest.filter((word) => word.startsWith("--"));
  expect(options.length).toBeGreaterThan(1);
  for (const option of options) expect(stdout).toMatch(new RegExp(`^ +${option}[ \\n]`, "m"));
});

test("the compose file has two workers, a server and a database, and all that its services name is there", () => {
  const { worker, server, database } = compose.services as Record<string, Service & { deploy?: { replicas: number } }>;
  expect(worker?.deploy?.replicas).toBe(2);
  expect(database?.image).toMatch(/^postgres:\d+$/);
  for (const { build, depends_on: before, secrets = [], healthcheck } of Object.values(compose.services)) {
    if (build !== undefined) expect(existsSync(join(directory, build.context, build.dockerfile))).toBe(true);
    for (const name of Object.keys(before ?? {})) expect(compose.services).toHaveProperty(name);
    for (const name of secrets) expect(compose.secrets).toHaveProperty(name);
    expect(healthcheck?.test[0]).toBe("CMD");
  }
  expect(server?.command.join(" ")).toContain("install -m 600 /run/secrets/http-token /state/http-token");
});

test("supervisors wait longer than workers drain, and signal nobody else", () => {
  const drain = (line: string): number => readSeconds(/--drain (\S+)/.exec(line)?.[1]) ?? 0;
  const { worker } = compose.services;
  expect(readSeconds(worker?.stop_grace_period)).toBeGreaterThan(drain(worker?.command.join(" ") ?? ""));
  expect(Object.keys(units).sort()).toEqual(["frond-serve.service", "frond-worker.service"]);
  for (const { Unit, Service, Install } of Object.values(units)) {
    expect(Service).toMatchObject({ KillMode: "mixed", StateDirectoryMode: "0700", User: "frond" });
    expect(readSeconds(Service?.TimeoutStopSec?.replace("min", "m"))).toBeGreaterThan(drain(Service?.ExecStart ?? ""));
    expect(Unit?.Description).toMatch(/^Frond /);
    expect(Install).toEqual({ WantedBy: "multi-user.target" });
  }
});
