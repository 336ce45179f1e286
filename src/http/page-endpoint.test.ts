import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { pageAt } from "./page-endpoint.ts";

const bytes = Buffer.from("export const page = 1;");
const file = { type: "text/javascript", bytes, isFixed: true };
const endpoint = pageAt({ find: () => file }, () => undefined as never);

async function ask(encodings?: string): Promise<Response> {
  const headers = encodings === undefined ? {} : { "accept-encoding": encodings };
  return endpoint.fetch(new Request("http://127.0.0.1/assets/page.js", { headers }), new AbortController().signal);
}

test("files of the page are compressed for those who can read that", async () => {
  for (const encodings of ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, gzip;q=0.8"]) {
    const answer = await ask(encodings);
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await answer.arrayBuffer())).toEqual(bytes);
  }
  for (const encodings of [undefined, "identity", "gzip;q=0", "gzip;q=0.0, br"]) {
    const answer = await ask(encodings);
    expect([answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual([null, "accept-encoding"]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  }
});
