import { wipeInitialEnvironment } from "./wipe-initial-environment.ts";

/** The first wins. */
const prefixes = ["FROND_SECRET_", "WORKFLOW_SECRET_"];

/** The secret that an environment variable holds, by its name. */
export function secretNameOf(variable: string): string | undefined {
  const prefix = prefixes.find((known) => variable.startsWith(known));
  return prefix === undefined ? undefined : variable.slice(prefix.length);
}

/** The environment variable that a secret is given in. */
export function secretVariable(name: string): string {
  return `${prefixes[0]}${name}`;
}

/** Takes the secrets out of an environment, so that nothing started from now on finds them there. */
export function takeSecrets(variables: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  const taken = Object.keys(variables).filter((variable) => secretNameOf(variable) !== undefined);
  for (const prefix of prefixes) {
    for (const variable of taken.filter((name) => name.startsWith(prefix))) {
      const name = variable.slice(prefix.length);
      if (!secrets.has(name)) secrets.set(name, variables[variable] ?? "");
    }
  }
  for (const variable of taken) delete variables[variable];
  if (variables === process.env) wipeInitialEnvironment(new Set(taken));
  return secrets;
}
