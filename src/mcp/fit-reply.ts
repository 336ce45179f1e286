import { findRecord } from "../views/block-records.ts";
import { type FetchCall, fitResponse } from "./fit-response.ts";
import type { Waiting } from "./reply.ts";

/** A reply goes into a model's context whole, so it has fewer characters than this. More than the second of them most clients cut. */
const replyLimits: Readonly<Record<Waiting["format"], number>> = { minimal: 20_000, detailed: 40_000 };

/** A reply as large as its reader has asked for, with the calls that fetch what is missing. */
export function fitReply(data: object, format: Waiting["format"], most: number = replyLimits[format]): object {
  return fitResponse(data, most - 1, fetchCallFor(data as ReplyData));
}

/** What replies have that tells how to get at more; each only if it is there. */
interface ReplyData {
  readonly run_id?: unknown;
  /** Address of the one block that it is about. */
  readonly block?: unknown;
  readonly checkpoint_id?: unknown;
  /** It is about a checkpoint. */
  readonly found?: unknown;
  /** Address of the block that asks. */
  readonly paused_block_id?: unknown;
  readonly [list: string]: unknown;
}

function fetchCallFor(data: ReplyData): FetchCall {
  const { run_id: runId, block: own, checkpoint_id: checkpoint, paused_block_id: asking } = data;
  const look = (path: string, ...include: readonly string[]): string =>
    `get_run(${JSON.stringify({
      run_id: runId,
      ...(path === "" ? {} : { path }),
      ...(include.length === 0 ? {} : { include }),
    })})`;
  const lookInto = (path: string, keys: readonly string[]): string =>
    `get_run(${JSON.stringify({ run_id: runId, ...(path === "" ? {} : { path }), field: keys.join(".") })})`;
  return (keys) => {
    if (typeof runId !== "string") return undefined;
    const { path, rest } = findRecord(keys, typeof own === "string" ? own : "");
    const [part = "blocks", index = ""] = rest;
    const item = (data[part] as readonly ListItem[] | undefined)?.[Number(index)];
    switch (part) {
      case "outputs":
        return rest.length > 1 && hasFew(data.outputs) ? lookInto(path, rest) : look(path, "outputs");
      case "failed_blocks":
        return typeof item?.block === "string" ? look(item.block, "log") : look(path, "events");
      case "handled_failures":
        return typeof item?.block === "string" ? look(item.block) : look(path, "events");
      case "pending":
      case "prompt":
      case "schema":
      case "choices": {
        const id = item?.checkpoint_id ?? checkpoint;
        return typeof id === "string" ? `get_checkpoint_info(${JSON.stringify({ checkpoint_id: id })})` : undefined;
      }
      case "log_tail":
        return look(path, "log");
      default:
        if (data.found === true && typeof asking === "string") return look(asking, "record");
        // A block by itself has more room; when that is not enough either, it is read piece by piece.
        if (path !== (own ?? "")) return look(path);
        return part === "inputs" && hasFew(data.inputs) ? lookInto(path, rest) : look(path, "record");
    }
  };
}

/** Of many values each would have a call of its own. */
function hasFew(values: unknown): boolean {
  return typeof values === "object" && values !== null && Object.keys(values).length <= 10;
}

interface ListItem {
  readonly block?: unknown;
  readonly checkpoint_id?: unknown;
}
