import { nodeProject } from "./node-project.ts";
import { chain, type FirstSteps, type ProjectKind } from "./project-kind.ts";
import { pythonProject } from "./python-project.ts";

const rustProject: ProjectKind = {
  name: "rust",
  title: "Rust",
  plan(facts) {
    if (!facts.names().includes("Cargo.toml")) return undefined;
    const hasCode = ["src", "crates"].some((directory) => facts.names(directory).length > 0);
    return {
      knownBy: "Cargo.toml",
      description: "Formats, builds and tests this Rust project",
      steps: chain([
        facts.hasProgram("cargo-fmt")
          ? { id: "format", description: "Whether the code is formatted", command: "cargo fmt --check" }
          : undefined,
        { id: "build", description: "The build", command: "cargo build" },
        { id: "test", description: "The tests", command: "cargo test", after: ["build"] },
      ]),
      programs: [{ name: "cargo", hint: "Get Rust from https://rustup.rs/." }],
      missing: hasCode ? [] : ["There is no src directory yet: cargo has nothing to build."],
    };
  },
};

const goProject: ProjectKind = {
  name: "go",
  title: "Go",
  plan(facts) {
    if (!facts.names().includes("go.mod")) return undefined;
    const hasCode = ["", "cmd", "internal", "pkg"].some((directory) =>
      facts.names(directory).some((name) => directory !== "" || name.endsWith(".go")),
    );
    const build = { id: "build", description: "The build", command: "go build ./..." };
    return {
      knownBy: "go.mod",
      description: "Builds, vets and tests this Go project",
      // Without a package `go vet` and `go test` fail.
      steps: hasCode
        ? chain([
            build,
            { id: "vet", description: "What the compiler lets pass", command: "go vet ./..." },
            { id: "test", description: "The tests", command: "go test ./...", after: ["build"] },
          ])
        : [build],
      programs: [{ name: "go", hint: "Get it from https://go.dev/dl/." }],
      missing: hasCode ? [] : ["There are no .go files yet: add `go vet ./...` and `go test ./...` when there are."],
    };
  },
};

const makefiles = ["GNUmakefile", "makefile", "Makefile"];
/** Targets that check something, in the order in which they are usually run. */
const makeTargets = ["lint", "check", "test", "build"];

const makeProject: ProjectKind = {
  name: "make",
  title: "make",
  plan(facts) {
    const knownBy = makefiles.find((name) => facts.names().includes(name));
    if (knownBy === undefined) return undefined;
    const targets = targetsOf(facts.text(knownBy) ?? "");
    const known = makeTargets.filter((target) => targets.has(target));
    const steps =
      known.length === 0
        ? [{ id: "make", description: `The first target of ${knownBy}`, command: "make" }]
        : // Makefiles often write to the same files, so one comes after the other.
          known.map((id, at) => ({
            id,
            description: `The target ${id} of ${knownBy}`,
            command: `make ${id}`,
            after: known.slice(Math.max(0, at - 1), at),
          }));
    return {
      knownBy,
      description: `Runs targets of the ${knownBy}`,
      steps,
      programs: [{ name: "make", hint: "Install it with the package manager of your system." }],
      missing: targets.size > 0 ? [] : [`${knownBy} has no target yet: \`make\` fails until there is one.`],
    };
  },
};

/** Rules with plain names; what is set with `:=` is no rule. */
function targetsOf(makefile: string): ReadonlySet<string> {
  return new Set([...makefile.matchAll(/^([A-Za-z0-9][\w.-]*)\s*::?(?![:=])/gm)].map(([, name]) => name ?? ""));
}

const plainSteps: FirstSteps = {
  description: "A first workflow: put the commands of this project in place of these",
  steps: [
    {
      id: "files",
      description: "How many files there are",
      command: "find . -type f -not -path './.*' | wc -l | tr -d '[:space:]'",
    },
    { id: "today", description: "Runs at the same time as files", command: "date +%A | tr -d '[:space:]'" },
    {
      id: "report",
      description: "Runs when both have succeeded, with what they wrote",
      command: 'echo "${blocks.files.stdout} files on a ${blocks.today.stdout}"',
      after: ["files", "today"],
    },
  ],
  programs: [],
};

const plainProject: ProjectKind = { name: "plain", title: "a plain directory", plan: () => plainSteps };

/** In the order in which they are looked for; the last one fits everything. */
export const projectKinds: readonly ProjectKind[] = [
  nodeProject,
  pythonProject,
  rustProject,
  goProject,
  makeProject,
  plainProject,
];
