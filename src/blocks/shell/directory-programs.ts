import { hasValue, startsWithValue, type Word } from "./shell-syntax.ts";

/** A program that takes what it runs from files of the directory it is started in. */
interface DirectoryProgram {
  /** Set when that is so only with some of its subcommands. */
  readonly only?: RegExp;
  /** Subcommands and options with which it is not so. */
  readonly harmless?: RegExp;
  /** Names of the files. */
  readonly files: RegExp;
}

const scripts = "\\.[cm]?[jt]sx?";
const node: DirectoryProgram = { files: new RegExp(`^package\\.json$|^\\.[\\w.-]*rc(?:\\.[\\w]+)?$|${scripts}$`) };
const python: DirectoryProgram = {
  files: /\.py$|^(?:tox|pytest|mypy)\.ini$|^setup\.cfg$|^pyproject\.toml$|^\.flake8$/,
};
const npm: DirectoryProgram = {
  ...node,
  harmless:
    /^(?:view|info|show|search|whoami|ping|config|root|prefix|bin|ls|list|outdated|audit|help|--version|-v|--help)$/,
};
const make: DirectoryProgram = { files: /^(?:GNU)?[Mm]akefile$|\.mk$/ };
const gradle: DirectoryProgram = { files: /\.gradle(?:\.kts)?$|^gradle\.properties$/ };
const compose: DirectoryProgram = { files: /^(?:docker-)?compose[\w.-]*\.ya?ml$|^Dockerfile|^\.env$/ };
const ruby: DirectoryProgram = { files: /\.rb$|^(?:Gem|Rake)file$|\.gemspec$|^\.rspec$/ };

const programs: readonly (readonly [RegExp, DirectoryProgram])[] = [
  [/^g?make$/, make],
  [/^(?:npm|pnpm)$/, npm],
  [/^(?:yarn|bun|npx|pnpx|bunx)$/, node],
  [/^(?:jest|vitest|mocha|ava|eslint|prettier|stylelint|webpack|vite|rollup|gulp|grunt|turbo|nx|lerna|next)$/, node],
  [/^deno$/, { ...node, only: /^(?:task|test|run)$/ }],
  [/^(?:pytest|py\.test|tox|nox|mypy|flake8|pylint|sphinx-build|invoke|fab|poetry|pdm|hatch|pipenv)$/, python],
  [/^uv$/, { ...python, only: /^(?:run|sync|build|lock|add)$/ }],
  [/^pip[0-9.]*$/, { ...python, only: /^(?:-e|--editable|-r|--requirement|\.\.?(?:\/.*)?)$/ }],
  [/^pre-commit$/, { files: /^\.pre-commit-config\.ya?ml$/ }],
  [
    /^(?:just|task|mage|earthly|act|lefthook)$/,
    { files: /^\.?justfile$|^[Tt]askfile\.|^magefile|^Earthfile$|\.ya?ml$/ },
  ],
  [/^cargo$/, { files: /\.rs$|\.toml$/ }],
  [/^go$/, { only: /^(?:generate|run|test|tool)$/, files: /\.go$|^go\.mod$/ }],
  [/^(?:gradle|gradlew)$/, gradle],
  [/^(?:mvn|ant|sbt|lein|mill)$/, { files: /^(?:pom|build)\.xml$|\.sbt$|^project\.clj$|^build\.sc$/ }],
  [
    /^(?:cmake|ctest|meson|ninja|scons|bazel)$/,
    { files: /^CMakeLists\.txt$|\.(?:cmake|ninja|bzl|bazel|build)$|^BUILD$|^SConstruct$/ },
  ],
  [/^(?:rake|bundle|rspec|cucumber)$/, ruby],
  [/^composer$/, { files: /^composer\.json$/ }],
  [/^(?:mix|dotnet|swift|stack|cabal)$/, { files: /\.(?:exs?|csproj|props|targets|swift|cabal|hs)$/ }],
  [/^(?:ansible|ansible-playbook|vagrant|terraform|tofu)$/, { files: /^ansible\.cfg$|^Vagrantfile$|\.tf$|\.ya?ml$/ }],
  [/^(?:docker-compose|podman-compose)$/, compose],
  [/^(?:docker|podman)$/, { ...compose, only: /^(?:compose|build|buildx)$/ }],
];

/** Options with the directory or the file that such a program takes what it runs from. */
const placeOptions =
  /^(?:-[CcdfpS]|--(?:directory|prefix|cwd|dir|project|project-directory|manifest-path|working-directory|rootdir|chdir|root|file|config|justfile|makefile)|-chdir)(?:=|$)/;

/** Those of them that run the files they are given. */
const operandsRun = /^(?:pytest|py\.test|mocha|ava|rspec|cucumber|ansible-playbook|cmake|scons)$/;

/** The files that a program takes what it runs from; undefined when it does not depend on the directory. */
export function filesObeyed(name: string, parameters: readonly { readonly text: string }[]): RegExp | undefined {
  const program = programs.find(([names]) => names.test(name))?.[1];
  if (program === undefined) return undefined;
  const { only, harmless, files } = program;
  if (only !== undefined && !parameters.some(({ text }) => only.test(text))) return undefined;
  return harmless?.test(parameters[0]?.text ?? "") ? undefined : files;
}

/** The arguments with which such a program is told another directory or file, or a file to run, or may be. */
export function placesGiven(name: string, parameters: readonly Word[]): readonly Word[] {
  const end = parameters.findIndex(({ text }) => text === "--");
  const own = end === -1 ? parameters : parameters.slice(0, end);
  const operands = operandsRun.test(name);
  const given = own.filter((word, index) => {
    const before = own[index - 1]?.text ?? "";
    // It may become an option such as `--prefix=elsewhere`.
    const isOperand = (operands ? !word.text.startsWith("-") : startsWithValue(word)) && !before.startsWith("-");
    const isPlace = placeOptions.test(word.text) || (placeOptions.test(before) && !before.includes("="));
    return hasValue(word) && (isOperand || isPlace);
  });
  return given.length > 0 && filesObeyed(name, parameters) !== undefined ? given : [];
}
