import type { PlacedSlot, VariableRead } from "./shell-syntax.ts";

/** What a word, or a part of one, gives to whoever gets it. */
export interface Carrier {
  readonly slots: readonly PlacedSlot[];
  readonly reads: readonly VariableRead[];
}

/** Which variables and streams a value can reach. Every place is visited once, whatever the order of the commands. */
export class ValueFlow {
  private readonly targets = new Map<string, string[]>();
  private readonly origins = new Map<string, PlacedSlot>();
  private readonly pending: string[] = [];

  /** What the carrier holds can reach the place. */
  pour({ slots, reads }: Carrier, place: string): void {
    for (const slot of slots) if (!slot.counted) this.reach(place, slot);
    for (const { name } of reads) this.connectRead(name, place);
  }

  /** What reaches one place can reach the other. */
  connect(from: string, to: string): void {
    const targets = this.targets.get(from);
    if (targets === undefined) this.targets.set(from, [to]);
    else targets.push(to);
    const origin = this.origins.get(from);
    if (origin !== undefined) this.reach(to, origin);
  }

  connectRead(name: string, to: string): void {
    this.connect(name, to);
    const scope = positionalScope(name);
    if (scope !== undefined) this.connect(`${scope}:any`, to);
  }

  /** A value that can be in the place. */
  originOf(place: string): PlacedSlot | undefined {
    this.settle();
    const scope = positionalScope(place);
    return this.origins.get(place) ?? (scope === undefined ? undefined : this.origins.get(`${scope}:any`));
  }

  private reach(place: string, origin: PlacedSlot): void {
    if (this.origins.has(place)) return;
    this.origins.set(place, origin);
    this.pending.push(place);
  }

  private settle(): void {
    for (let place = this.pending.pop(); place !== undefined; place = this.pending.pop()) {
      const origin = this.origins.get(place);
      if (origin !== undefined) for (const target of this.targets.get(place) ?? []) this.reach(target, origin);
    }
  }
}

function positionalScope(name: string): string | undefined {
  const colon = name.lastIndexOf(":");
  return colon === -1 ? undefined : name.slice(0, colon);
}
