type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels?: Labels, amount?: number): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** A figure that is looked up when somebody asks for it. */
export type Reading = readonly [labels: Labels, value: number];

interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  lines(): Iterable<string>;
}

/** Figures that are counted while a process runs, and written as Prometheus reads them. */
export class MetricRegistry {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string): Counter {
    const values = new Map<string, number>();
    const add: Counter["add"] = (labels = {}, amount = 1) => {
      const key = writeLabels(labels);
      values.set(key, (values.get(key) ?? 0) + amount);
    };
    this.#metrics.push({ name, type: "counter", help, lines: () => writeAll(name, values) });
    return { add };
  }

  /** `bounds` go up; what is above the last of them is counted, too. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, Buckets>();
    const observe: Histogram["observe"] = (value, labels = {}) => {
      const key = writeLabels(labels);
      const buckets = series.get(key) ?? { labels, counts: bounds.map(() => 0), count: 0, sum: 0 };
      series.set(key, buckets);
      const at = bounds.findIndex((bound) => value <= bound);
      if (at >= 0) buckets.counts[at] = (buckets.counts[at] ?? 0) + 1;
      buckets.count += 1;
      buckets.sum += value;
    };
    const lines = (): string[] => [...series.values()].flatMap((buckets) => writeBuckets(name, bounds, buckets));
    this.#metrics.push({ name, type: "histogram", help, lines });
    return { observe };
  }

  /** All that was counted, and after it what is read now. */
  write(readings: readonly ReadMetric[]): string {
    const read = readings.map(({ name, type, help, values }): Metric => {
      const lines = (): string[] => values.map(([labels, value]) => `${name}${writeLabels(labels)} ${value}`);
      return { name, type, help, lines };
    });
    const all = [...this.#metrics, ...read].flatMap(({ name, type, help, lines }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...lines(),
    ]);
    return `${all.join("\n")}\n`;
  }
}

/** A metric whose figures are known elsewhere. */
export interface ReadMetric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly values: readonly Reading[];
}

interface Buckets {
  readonly labels: Labels;
  /** Of each bound, what is above the one before it. */
  readonly counts: number[];
  count: number;
  sum: number;
}

function writeAll(name: string, values: ReadonlyMap<string, number>): string[] {
  return [...values].map(([labels, value]) => `${name}${labels} ${value}`);
}

function writeBuckets(name: string, bounds: readonly number[], { labels, counts, count, sum }: Buckets): string[] {
  let below = 0;
  const lines = bounds.map((bound, index) => {
    below += counts[index] ?? 0;
    return `${name}_bucket${writeLabels({ ...labels, le: String(bound) })} ${below}`;
  });
  return [
    ...lines,
    `${name}_bucket${writeLabels({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${writeLabels(labels)} ${sum}`,
    `${name}_count${writeLabels(labels)} ${count}`,
  ];
}

function writeLabels(labels: Labels): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`);
  return written.length === 0 ? "" : `{${written.join(",")}}`;
}

function escapeText(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** Lets the first so many values through, and counts all others as one, so that a label can't have any number of them. */
export function boundedValues(most: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= most) return "other";
    known.add(value);
    return value;
  };
}
