import { jsonSize, keySize } from "../util/json-size.ts";

/**
 * What must stay of a value when it has to become smaller. `any` may be cut anywhere or left out; of a `text` at least so many
 * characters stay; of `fields` those that are named stay, in their shapes; of `each` every element does; `none` goes.
 */
export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "text"; readonly least: number }
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, Shape>>; readonly dropsRest?: true }
  | { readonly kind: "each"; readonly shape: Shape }
  | { readonly kind: "none" };

const any: Shape = { kind: "any" };
const none: Shape = { kind: "none" };
const whole: Shape = text(1_000);

function text(least: number): Shape {
  return { kind: "text", least };
}

function fields(named: Readonly<Record<string, Shape>>): Shape {
  return { kind: "fields", fields: named };
}

function each(shape: Shape): Shape {
  return { kind: "each", shape };
}

/** Of one part of a value with this name. */
export function shapeInside(shape: Shape, key: string): Shape {
  if (shape.kind === "each") return shape.shape;
  if (shape.kind !== "fields") return any;
  return Object.hasOwn(shape.fields, key) ? (shape.fields[key] as Shape) : shape.dropsRest ? none : any;
}

/** How small a value can become without losing what must stay. Each value of a reply is asked for once or twice. */
export function leastSize(value: unknown, shape: Shape): number {
  switch (shape.kind) {
    case "any":
    case "none":
      return 0;
    case "text":
      return Math.min(jsonSize(value, shape.least), shape.least);
    default:
      return leastContainerSize(value, shape);
  }
}

function leastContainerSize(value: unknown, shape: Shape): number {
  if (typeof value !== "object" || value === null) return jsonSize(value);
  let size = 2;
  for (const [key, part] of Object.entries(value)) {
    const inside = shapeInside(shape, key);
    if (inside.kind === "any" || inside.kind === "none") continue;
    size += leastSize(part, inside) + (Array.isArray(value) ? 1 : keySize(key));
  }
  return size;
}

const question: Shape = fields({ checkpoint_id: whole, block: whole, audience: whole, prompt: text(200) });

/** What a reply is read for stays in any case, wherever it comes from: ids, status, what failed, what to do next. */
const essential: Readonly<Record<string, Shape>> = {
  status: whole,
  run_id: whole,
  workflow: whole,
  block: whole,
  cancelled: whole,
  error: text(2_000),
  failed_blocks: each(fields({ block: whole, message: text(120) })),
  checkpoint_id: whole,
  wake_at: whole,
  spend: whole,
  over_budget: whole,
  paused_block_id: whole,
  audience: whole,
  prompt: text(500),
  pending: each(question),
  message: text(2_000),
  next_cursor: whole,
  next_offset: whole,
  total: whole,
  valid: whole,
};

/**
 * The shape of a reply that has this much room. The tree of blocks stays whole, with everything that is known of their state and
 * timing; where there is no room for that, with the most important of it; then without what is deepest.
 */
export function shapeOf(data: object, room: number): Shape {
  const { blocks } = data as { blocks?: unknown };
  if (typeof blocks !== "object" || blocks === null || Array.isArray(blocks)) return fields(essential);
  const left = room - leastSize(data, fields(essential)) - keySize("blocks");
  return fields({ ...essential, blocks: treeShape(blocks, left) });
}

function treeShape(blocks: object, room: number): Shape {
  const known = levelsThatFit(blocks, metadata, room);
  if (known.areAll) return treeDownTo(known.depth, metadata);
  return treeDownTo(Math.max(1, levelsThatFit(blocks, briefMetadata, room).depth), briefMetadata);
}

const briefFields = { status: whole, outcome: whole, execution_time_ms: whole, message: text(120) };
const briefMetadata: Shape = { kind: "fields", fields: briefFields, dropsRest: true };
const metadata: Shape = fields({
  ...briefFields,
  started_at: whole,
  completed_at: whole,
  wave: whole,
  execution_order: whole,
  attempts: whole,
  spend: whole,
});

function treeDownTo(depth: number, about: Shape): Shape {
  const inside = depth > 1 ? treeDownTo(depth - 1, about) : none;
  return each(fields({ metadata: about, blocks: inside }));
}

/** How many levels of blocks there is room for, the outermost first; looked at only until it is clear that the next does not fit. */
function levelsThatFit(
  blocks: object,
  about: Shape,
  room: number,
): { readonly depth: number; readonly areAll: boolean } {
  const shape = fields({ metadata: about });
  let left = room;
  let depth = 0;
  for (let level = [blocks]; level.length > 0; depth += 1) {
    const inner: object[] = [];
    for (const map of level) {
      left -= keySize("blocks") + 2;
      for (const [key, block] of Object.entries(map)) {
        left -= keySize(key) + leastSize(block, shape);
        if (left < 0) return { depth, areAll: false };
        const { blocks: inside } = block as { blocks?: object };
        if (inside !== undefined) inner.push(inside);
      }
    }
    if (left < 0) return { depth, areAll: false };
    level = inner;
  }
  return { depth, areAll: true };
}
