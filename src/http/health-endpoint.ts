import type { Endpoint } from "./endpoint.ts";

/** `draining`: it takes nothing new and is about to end. `journal`: that can't be reached. */
export type Health = "ok" | "draining" | "journal";

const longestLookMs = 2_000;
/** Anybody may ask, as often as they like; the journal is not asked more often than this. */
const freshForMs = 1_000;

export interface HealthSource {
  isDraining(): boolean;
  /** Rejects when it can't be reached. */
  reachJournal(): Promise<unknown>;
}

/** Says in one word whether the process is well, to whoever asks: a load balancer has no token. Nothing else can be learned from it. */
export function healthAt(path: string, source: HealthSource): Endpoint {
  const look = shared(() => isReachable(source));
  return {
    path,
    serves: "Whether the server is well",
    methods: ["GET", "HEAD"],
    async fetch() {
      const status: Health = source.isDraining() ? "draining" : (await look()) ? "ok" : "journal";
      const headers = { "cache-control": "no-store" };
      return Response.json({ status }, { status: status === "ok" ? 200 : 503, headers });
    },
    refuse: ({ status, code }) => Response.json({ status: code }, { status }),
  };
}

async function isReachable({ reachJournal }: HealthSource): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), longestLookMs);
  });
  const reached = reachJournal().then(
    () => true,
    () => false,
  );
  return Promise.race([reached, late]).finally(() => clearTimeout(timer));
}

/** One look for all who ask at about the same time. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let latest: { readonly at: number; readonly seen: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - latest.at > freshForMs) latest = { at: now, seen: look() };
    return latest.seen;
  };
}
