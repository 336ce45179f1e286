import type { Authorise, Endpoint } from "./endpoint.ts";

/** The figures of this process, in the text format of Prometheus. */
export function metricsAt(path: string, write: () => Promise<string>, authorise: Authorise): Endpoint {
  return {
    path,
    serves: "Metrics for Prometheus",
    methods: ["GET"],
    authorise,
    async fetch() {
      const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };
      return new Response(await write(), { headers });
    },
    refuse: ({ status, message }) =>
      new Response(`${message}\n`, { status, headers: { "content-type": "text/plain" } }),
  };
}
