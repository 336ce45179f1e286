import type { LoopElement, RunEvent } from "../engine/events.ts";
import { nameElement } from "../engine/name-element.ts";
import type { RunNode } from "../engine/run-node.ts";

/** What the elements are called that a block is run for, in a few words; of loops around each other, from the outermost. */
export function elementsAround(node: RunNode): string | undefined {
  const names: string[] = [];
  for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
    const name = at.element === undefined ? undefined : nameElement(at.element);
    if (name !== undefined) names.unshift(name);
  }
  return joined(names);
}

/**
 * The same for whoever hears events alone, while a run goes on. Of a loop no more than its list is kept: an element is named when it is
 * asked for, so that very many of them cost nothing.
 */
export class PassNames {
  readonly #loops = new Map<string, readonly LoopElement[]>();

  hear(event: RunEvent): void {
    if (event.type === "block-started" && event.inside.kind === "loop")
      this.#loops.set(event.path, event.inside.elements);
  }

  /** Nothing for a block that is in no loop over a list. */
  elementOf(path: string): string | undefined {
    if (this.#loops.size === 0) return undefined;
    const names: string[] = [];
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const elements = this.#loops.get(path.slice(0, at));
      if (elements === undefined) continue;
      // The passes of a list are numbered; those of a map have their keys.
      const [key = ""] = path.slice(at + 1).split("/", 1);
      const element = elements[Number(key)];
      const name = element === undefined || String(element.key) !== key ? undefined : nameElement(element);
      if (name !== undefined) names.push(name);
    }
    return joined(names);
  }
}

/** A path, and behind it which element it stands for. */
export function withElement(path: string, element: string | undefined): string {
  return element === undefined ? path : `${path} (${element})`;
}

function joined(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(", ");
}
