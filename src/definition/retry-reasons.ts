import type { BlockType } from "../block/define-block.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { isNothing, type KeyReader } from "./map-reader.ts";
import type { RetryReason } from "./workflow-definition.ts";
import { describeNode, type YamlNode } from "./yaml-node.ts";

const words = ["timeout", "failure", "crash"] as const;

/** Reasons that name a code: the output that holds it, and the codes there are. */
const codes = {
  exit: { output: "exit_code", what: "an exit code", least: 0, most: 255 },
  http: { output: "status_code", what: "a status code of HTTP", least: 100, most: 599 },
} as const;

/** What others call our words: as texts they would be looked for in messages. */
const otherWords: Readonly<Record<string, string>> = {
  error: "failure",
  errors: "failure",
  failed: "failure",
  fail: "failure",
  failures: "failure",
  any: "failure",
  all: "failure",
  always: "failure",
  timeouts: "timeout",
  timed_out: "timeout",
  crashed: "crash",
  exception: "crash",
};

/** One reason, or a list of them. */
export function readReasons(at: KeyReader, type: BlockType): readonly RetryReason[] | undefined {
  const { node } = at;
  if (node === undefined) return undefined;
  const items = node.kind === "list" ? node.items : [node];
  if (items.length > 0 && !isNothing(node)) return items.flatMap((item) => readReason(item, at, type) ?? []);
  return at.wrongType("a text or a list of them", "Write `on: [timeout, failure]`, or leave it out.");
}

function readReason(node: YamlNode, { what, report }: KeyReader, type: BlockType): RetryReason | undefined {
  const text = node.kind === "scalar" && typeof node.value === "string" ? node.value.trim() : "";
  if (text === "") return refuse(node, `'on' of ${what} can't hold ${describeNode(node)}.`, report, type);
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return { kind: word };
  const [, kind, number] = /^(exit|http)\s*:\s*(.*)$/.exec(text) ?? [];
  if (kind !== undefined) return readCode(kind as keyof typeof codes, number ?? "", node, what, report, type);
  const meant = Object.hasOwn(otherWords, text.toLowerCase()) ? otherWords[text.toLowerCase()] : undefined;
  if (meant !== undefined) {
    report({
      code: "text-not-reason",
      level: "warning",
      message: `'on' of ${what} waits for a message that contains '${text}'.`,
      fix: `Write ${meant}, if that is what it is tried again after.`,
      range: node.range,
    });
  }
  return { kind: "text", text };
}

function readCode(
  kind: keyof typeof codes,
  written: string,
  node: YamlNode,
  what: string,
  report: Report,
  type: BlockType,
): RetryReason | undefined {
  const { output, what: noun, least, most } = codes[kind];
  const code = /^\d{1,3}$/.test(written) ? Number(written) : Number.NaN;
  if (!(code >= least && code <= most)) {
    const message = `'${kind}:' of ${what} must be followed by ${noun}, ${least} to ${most}.`;
    return refuse(node, message, report, type);
  }
  if (!Object.hasOwn(type.outputs().shape, output)) {
    report({
      code: "no-such-code",
      level: "error",
      message: `${what}: a ${type.type} block has no ${output}, so '${kind}:${code}' never happens.`,
      fix: `Remove it, or write failure for every failure.`,
      range: node.range,
    });
  }
  return { kind, code };
}

function refuse(node: YamlNode, message: string, report: Report, { outputs }: BlockType): undefined {
  const known = Object.entries(codes).filter(([, { output }]) => Object.hasOwn(outputs().shape, output));
  const reasons = [...words, ...known.map(([kind]) => (kind === "exit" ? '"exit:75"' : '"http:503"'))];
  const fix = `Write ${reasons.join(", ")}, or a text that the message contains.`;
  report({ code: "wrong-type", level: "error", message, fix, range: node.range });
}
