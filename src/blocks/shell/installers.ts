import type { Word } from "./shell-syntax.ts";

/** Programs that fetch what they are told to and run code of it, with the subcommands that do. */
const installers: readonly (readonly [RegExp, RegExp])[] = [
  [/^pip[0-9.]*$/, /^(?:install|download|wheel)$/],
  [/^pipx$/, /^(?:install|run|inject|upgrade)$/],
  [/^uv$/, /^(?:pip|tool|add|run)$/],
  [/^(?:poetry|pdm|pipenv)$/, /^(?:add|install)$/],
  [/^(?:conda|mamba|micromamba)$/, /^(?:install|create)$/],
  [/^npm$/, /^(?:install|i|in|ins|add|update|exec|x|create|init|link)$/],
  [/^(?:pnpm|yarn|bun)$/, /^(?:add|install|i|dlx|exec|x|create|global|update)$/],
  [/^cargo$/, /^(?:install|add)$/],
  [/^go$/, /^(?:install|get|run)$/],
  [/^(?:gem|bundle)$/, /^(?:install|add)$/],
  [/^composer$/, /^(?:require|global|create-project)$/],
  [/^dotnet$/, /^(?:add|tool|new)$/],
  [/^(?:brew|apt|apt-get|yum|dnf|apk|snap|zypper)$/, /^(?:install|add|reinstall)$/],
];

/** Whether code of what it is given is going to run: `pip install`, `npm install`. */
export function installs(name: string, parameters: readonly Word[]): boolean {
  const subcommands = installers.find(([names]) => names.test(name))?.[1];
  return subcommands !== undefined && parameters.some(({ text }) => subcommands.test(text));
}

/** Options of `docker run` that take no argument. */
const flags = /^(?:-[ditPq]+|--(?:detach|interactive|tty|rm|init|privileged|publish-all|read-only|quiet|[\w-]+=.*))$/s;

/** The image that `docker run` starts, which holds the program. */
export function imageRun(name: string, parameters: readonly Word[]): Word | undefined {
  if (name !== "docker" && name !== "podman") return undefined;
  const at = parameters.findIndex(({ text }) => text === "run" || text === "create");
  if (at === -1) return undefined;
  for (let next = at + 1; next < parameters.length; next += 1) {
    const word = parameters[next];
    if (!word?.text.startsWith("-")) return word;
    if (!flags.test(word.text)) next += 1;
  }
  return undefined;
}
