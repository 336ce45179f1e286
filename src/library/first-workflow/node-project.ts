import {
  chain,
  type FirstSteps,
  type Program,
  type ProjectFacts,
  type ProjectKind,
  type Step,
} from "./project-kind.ts";

interface PackageManager extends Program {
  readonly lockfiles: readonly string[];
  /** With a lockfile, which is obeyed; and without one. */
  readonly install: readonly [locked: string, free: string];
}

const managers: readonly PackageManager[] = [
  {
    name: "pnpm",
    lockfiles: ["pnpm-lock.yaml"],
    install: ["pnpm install --frozen-lockfile", "pnpm install"],
    hint: "Install it: npm install --global pnpm",
  },
  {
    name: "yarn",
    lockfiles: ["yarn.lock"],
    install: ["yarn install --frozen-lockfile", "yarn install"],
    hint: "Install it: npm install --global yarn",
  },
  {
    name: "bun",
    lockfiles: ["bun.lock", "bun.lockb"],
    install: ["bun install --frozen-lockfile", "bun install"],
    hint: "Get it from https://bun.sh/.",
  },
  {
    name: "npm",
    lockfiles: ["package-lock.json", "npm-shrinkwrap.json"],
    install: ["npm ci", "npm install"],
    hint: "It comes with Node.js from https://nodejs.org/.",
  },
];

const npm = managers.at(-1) as PackageManager;

/** Scripts that check something and end; others, such as `dev`, may do anything or go on for ever. */
const checks: readonly { readonly scripts: readonly string[]; readonly description: string }[] = [
  { scripts: ["lint"], description: "The linter" },
  { scripts: ["typecheck", "type-check", "check-types"], description: "The types" },
  { scripts: ["test"], description: "The tests" },
];

/** What `npm init` writes, which always fails. */
const noTests = /no test specified/;

export const nodeProject: ProjectKind = {
  name: "node",
  title: "Node.js",
  plan(facts) {
    const text = facts.text("package.json");
    if (text === undefined) return undefined;
    const manifest = parse(text);
    return manifest === undefined ? unreadable : planNode(manifest, facts);
  },
};

interface Manifest {
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly packageManager: string;
  readonly hasPackages: boolean;
}

function planNode({ scripts, packageManager, hasPackages }: Manifest, facts: ProjectFacts): FirstSteps {
  const names = facts.names();
  const isLocked = ({ lockfiles }: PackageManager): boolean => lockfiles.some((file) => names.includes(file));
  const manager = managers.find(isLocked) ?? managers.find(({ name }) => packageManager.startsWith(`${name}@`)) ?? npm;
  const [locked, free] = manager.install;
  const isScript = (name: string): boolean => typeof scripts[name] === "string" && !noTests.test(String(scripts[name]));
  const runScript = (name: string): string => `${manager.name} run ${name}`;
  const checking = checks.flatMap(({ scripts: known, description }): Step[] => {
    const script = known.find(isScript);
    if (script === undefined) return [];
    return [{ id: script.replaceAll("-", "_"), description, command: runScript(script), after: ["install"] }];
  });
  const steps = chain([
    hasPackages
      ? {
          id: "install",
          description: "The packages, if they are not there yet",
          command: `[ -d node_modules ] || ${isLocked(manager) ? locked : free}`,
        }
      : undefined,
    ...checking,
    isScript("build")
      ? {
          id: "build",
          description: "The build, when everything before it succeeded",
          command: runScript("build"),
          after: ["install", ...checking.map(({ id }) => id)],
        }
      : undefined,
  ]);
  const hasScripts = checking.length > 0 || isScript("build");
  return {
    knownBy: "package.json",
    description: "Checks this project with the scripts of its package.json",
    steps: hasScripts ? steps : [...steps, { ...describeStep, after: steps.map(({ id }) => id) }],
    programs: [...(hasScripts || hasPackages ? [manager] : []), ...(hasScripts ? [] : [node])],
    env: { CI: "true" },
    missing: hasScripts
      ? []
      : ["package.json has no lint, test or build script yet: add one, and a block that runs it."],
  };
}

const node: Program = { name: "node", hint: "Get Node.js from https://nodejs.org/." };

const describeStep: Step = {
  id: "describe",
  description: "What package.json says of the project",
  command: `node -p 'const { name, version } = require("./package.json"); [name, version].join(" ")'`,
};

const unreadable: FirstSteps = {
  knownBy: "package.json",
  description: "Checks that package.json can be read",
  steps: [
    {
      id: "describe",
      description: "What package.json says of the project",
      command: describeStep.command,
    },
  ],
  programs: [node],
  missing: ["package.json is not valid JSON: the workflow fails until it is."],
};

function parse(text: string): Manifest | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  if (typeof read !== "object" || read === null) return undefined;
  const of = (key: string): unknown => (read as Readonly<Record<string, unknown>>)[key];
  const isFull = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length > 0;
  const scripts = of("scripts");
  return {
    scripts: isFull(scripts) ? (scripts as Record<string, unknown>) : {},
    packageManager: String(of("packageManager") ?? ""),
    hasPackages: ["dependencies", "devDependencies", "optionalDependencies", "workspaces"].some((key) =>
      isFull(of(key)),
    ),
  };
}
