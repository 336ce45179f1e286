import { err, ok, type Result } from "../../util/result.ts";
import { anthropic } from "./anthropic.ts";
import type { ModelProvider } from "./model-provider.ts";
import { openai, openaiCompatible } from "./openai.ts";

const providers: readonly ModelProvider[] = [anthropic, openai, openaiCompatible];

export interface NamedModel {
  readonly provider: ModelProvider;
  readonly name: string;
}

/** `provider/name`; a name may hold more slashes. The error is a sentence without its full stop. */
export function findModel(written: string): Result<NamedModel, string> {
  const [, before, name = ""] = /^([^/]*)\/(.*)$/s.exec(written) ?? [];
  const provider = providers.find((candidate) => candidate.name === before);
  if (provider !== undefined && name.trim() !== "") return ok({ provider, name });
  const known = providers.map((candidate) => candidate.name);
  if (before === undefined)
    return err(`'${written}' does not say who provides it: write provider/name, with ${orOf(known)}`);
  if (provider !== undefined) return err(`'${written}' names no model of ${provider.name}`);
  return err(`'${before}' is no provider: there are ${known.join(", ")}`);
}

function orOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Why a provider can't be asked as the block stands; the error goes with what to do. */
export function findMissing(
  { provider, name }: NamedModel,
  has: { readonly key: boolean; readonly baseUrl: boolean },
): { readonly input: "api_key" | "base_url"; readonly message: string; readonly fix: string } | undefined {
  const { usualKey } = provider;
  if (usualKey !== undefined && !has.key) {
    const message = `${provider.name} needs an api_key.`;
    const fix = `Add \`api_key: \${secrets.${usualKey}}\`, and set FROND_SECRET_${usualKey} where Frond is started.`;
    return { input: "api_key", message, fix };
  }
  if (provider.baseUrl !== undefined || has.baseUrl) return undefined;
  const message = `'${provider.name}/${name}' needs a base_url: the address of the server, up to what comes before ${provider.path}.`;
  return { input: "base_url", message, fix: "Add `base_url: http://localhost:11434/v1`, or what it is." };
}
