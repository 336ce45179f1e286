import type { Cost } from "../block/spend.ts";
import { type PlainForm, text } from "../definition/forms.ts";
import { type Keys, listKeys, mapSchema, readMap } from "../definition/key.ts";
import { parseAmount } from "../definition/load-budget.ts";
import { MapReader } from "../definition/map-reader.ts";
import { describeNode, type YamlEntry, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { values } from "./forms.ts";
import type { Mock } from "./test-file.ts";

interface WrittenMock {
  readonly outputs: ValueMap;
  readonly fails?: string;
  readonly crashes?: string;
  readonly spend?: Cost;
}

const amount: PlainForm<number | undefined> = {
  schema: { type: "number", minimum: 0 },
  read(at) {
    if (at.node === undefined) return undefined;
    const parsed = parseAmount(at.node.kind === "scalar" ? at.node.value : null, at.name === "tokens");
    return parsed.ok ? parsed.value : at.wrongType("a number from 0 on");
  },
};

const mockSpendKeys: Keys<Cost> = {
  usd: { name: "usd", docs: "US dollars", examples: ["0.02"], ...amount },
  tokens: { name: "tokens", docs: "Tokens", examples: ["900"], ...amount },
};

export const mockKeys: Keys<WrittenMock> = {
  outputs: {
    name: "outputs",
    docs: "Over those that a block of its type has by itself",
    examples: ["{ exit_code: 7 }"],
    ...values,
  },
  fails: {
    name: "fails",
    docs: "It ran, and what it tried did not work",
    examples: ["no route to production"],
    ...text,
  },
  spend: {
    name: "spend",
    docs: "What it costs; without it, what `cost` on the block says",
    examples: ["{ usd: 0.02, tokens: 900 }"],
    schema: (catalog) => mapSchema(listKeys(mockSpendKeys), catalog),
    read(at) {
      const map = at.mapAt();
      return map && readMap(mockSpendKeys, new MapReader(map, `spend of ${at.what}`, at.report), undefined);
    },
  },
  crashes: { name: "crashes", docs: "It could not run", examples: ["no route to host"], ...text },
};

/** How the block at an address ends: the same in every attempt, or one after the other. */
export function loadMock({ key, value: node }: YamlEntry, report: Report): readonly Mock[] | undefined {
  if (node.kind !== "list") return toList(loadOne(key, node, report));
  if (node.items.length === 0) {
    const message = `The mock of '${key}' has no attempt.`;
    report({ code: "bad-mock", level: "error", message, fix: `Write ${key}: [{ fails: no }, {}].`, range: node.range });
  }
  return node.items.flatMap((item) => toList(loadOne(key, item, report)) ?? []);
}

function toList(mock: Mock | undefined): readonly Mock[] | undefined {
  return mock === undefined ? undefined : [mock];
}

function loadOne(key: string, node: YamlNode, report: Report): Mock | undefined {
  if (node.kind !== "map") {
    const message = `The mock of '${key}' must be a map with outputs, fails or crashes, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, fix: `Write ${key}: { outputs: {} }.`, range: node.range });
    return undefined;
  }
  const map = new MapReader(node, `the mock of '${key}'`, report);
  const { outputs, fails, crashes, spend } = readMap(mockKeys, map, undefined);
  if (crashes !== undefined) {
    const other = map.entry("fails") ?? map.entry("outputs");
    if (other !== undefined) {
      const message = `A block that crashes has no '${other.key}': it could not run.`;
      report({ code: "bad-mock", level: "error", message, fix: "Write `fails` instead.", range: other.keyRange });
    }
    return { kind: "crashes", message: crashes, ...defined({ spend }) };
  }
  const ended = { outputs, ...defined({ spend }) };
  return fails === undefined ? { kind: "succeeds", ...ended } : { kind: "fails", message: fails, ...ended };
}
