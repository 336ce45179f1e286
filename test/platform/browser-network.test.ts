import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterAll, beforeEach, expect, test } from "vitest";
import { privateRange } from "../../src/util/private-addresses.ts";
import { browserVariables } from "../rig/browser.ts";
import { createTestEngine } from "../rig/engine.ts";
import { openServer } from "../rig/http-server.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

/** Of this machine one address counts as public here, so that there is somebody to come from. */
const judge = (address: string): string | undefined => (address === "127.0.0.1" ? undefined : privateRange(address));
const hidden = await openServer((_request, response) => response.end("secret"), { host: "127.0.0.2" });
let page: (response: ServerResponse, path: string) => void = () => {};
const outside = await openServer((request, response) => page(response, request.url ?? ""));
afterAll(() => Promise.all([hidden.close(), outside.close()]));

let before = 0;
beforeEach(() => {
  before = hidden.connections;
});

interface Visit {
  readonly status: string;
  readonly message: string;
  readonly told: string;
  readonly extracted: unknown;
}

async function visit(
  url: string,
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>,
): Promise<Visit> {
  const engine = createTestEngine({
    environment: variables,
    network: { judge, ...(resolve === undefined ? {} : { resolve }) },
  });
  let told = "";
  const written = {
    inputs: { url: { type: "str" } },
    blocks: [
      { id: "open", type: "Browser", inputs: { action: "navigate", url: "${inputs.url}" } },
      {
        id: "done",
        type: "Browser",
        depends_on: ["open"],
        inputs: { action: "wait", target: "#done", condition: { text: "done" } },
      },
      { id: "read", type: "Browser", depends_on: ["done"], inputs: { action: "extract", target: "#done" } },
    ],
  };
  const { state, response } = await engine.run(written, {
    inputs: { url },
    onOutput: (_path, text) => {
      told += text;
    },
  });
  const { open, read } = state.root.record.blocks;
  return {
    status: response.status,
    message: open?.metadata.message ?? "",
    told,
    extracted: read?.outputs.extracted,
  };
}

/** A page that tries to reach something, and says what came of it. */
function trying(script: string): typeof page {
  return (response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<p id=done></p><script>const end = (text) => { document.querySelector("#done").textContent = text + " done" };
      ${script}</script>`);
  };
}

test("an address of this machine is refused unless it is allowed, before anything is connected to", async () => {
  const { message } = await visit(hidden.url);
  expect(message).toBe(
    `127.0.0.2:${hidden.port} is refused: it is an address of this machine. \`allow_private: true\` allows it.`,
  );
  expect(hidden.connections).toBe(before);
});

test("a redirect leads to no private address", async () => {
  page = (response) => response.writeHead(302, { location: hidden.url }).end();
  const { message } = await visit(outside.url);
  expect(message).toContain(`127.0.0.2:${hidden.port} is refused`);
  expect(message).toContain(`(where ${outside.url}/ leads)`);
  expect(hidden.connections).toBe(before);
});

test("no part of a page reaches a private address: scripts, pictures, frames, sockets, workers", async () => {
  const socket = hidden.url.replace("http", "ws");
  page = trying(`
    const tries = [
      fetch("${hidden.url}/fetch").then((r) => r.text()).then(() => "read", () => "refused"),
      fetch("http://169.254.169.254/latest", { mode: "no-cors" }).then(() => "read", () => "refused"),
      fetch("https://169.254.169.254/latest", { mode: "no-cors" }).then(() => "read", () => "refused"),
      fetch("http://[::1]:${hidden.port}/", { mode: "no-cors" }).then(() => "read", () => "refused"),
      fetch("http://2130706434:${hidden.port}/", { mode: "no-cors" }).then(() => "read", () => "refused"),
      new Promise((resolve) => {
        const picture = new Image();
        picture.onload = () => resolve("read");
        picture.onerror = () => resolve("refused");
        picture.src = "${hidden.url}/picture";
      }),
      new Promise((resolve) => {
        const socket = new WebSocket("${socket}");
        socket.onopen = () => resolve("read");
        socket.onerror = () => resolve("refused");
      }),
      new Promise((resolve) => {
        const worker = new Worker(URL.createObjectURL(new Blob(["fetch('${hidden.url}/worker', { mode: 'no-cors' }).then(() => postMessage('read'), () => postMessage('refused'))"])));
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => resolve("refused");
      }),
      new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = () => resolve("refused");
        frame.src = "${hidden.url}/frame";
        document.body.append(frame);
      }),
    ];
    navigator.sendBeacon("${hidden.url}/beacon", "x");
    Promise.all(tries).then((all) => end(all.join(" ")));
  `);
  const { status, extracted, told } = await visit(outside.url);
  expect(extracted).toBe(`${Array(9).fill("refused").join(" ")} done`);
  expect(status).toBe("success");
  expect(told).toContain(`127.0.0.2:${hidden.port} is refused: it is an address of this machine`);
  expect(told).toContain("169.254.169.254:443 is refused: it is a link-local address");
  expect(hidden.connections).toBe(before);
});

test("a name is looked up once for each connection, so one that changes its address leads nowhere", async () => {
  let lookups = 0;
  const resolve = async () => [{ address: lookups++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
  page = trying(
    `fetch("http://rebound.test:${hidden.port}/", { mode: "no-cors" }).then(() => end("read"), () => end("refused"))`,
  );
  const { extracted, told } = await visit(`http://rebound.test:${outside.port}/`, resolve);
  expect(extracted).toBe("refused done");
  expect(told).toContain("'rebound.test' is 127.0.0.2, an address of this machine");
  expect(hidden.connections).toBe(before);
});

test("a page sends nothing past the proxy: no call over UDP, no lookup of names", async () => {
  const udp = createSocket("udp4");
  let packets = 0;
  udp.on("message", () => {
    packets += 1;
  });
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  page = trying(`
    const call = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${udp.address().port}" }] });
    call.createDataChannel("x");
    call.onicegatheringstatechange = () => call.iceGatheringState === "complete" && end("gathered");
    call.createOffer().then((offer) => call.setLocalDescription(offer));
  `);
  const { extracted } = await visit(outside.url);
  udp.close();
  expect(extracted).toBe("gathered done");
  expect(packets).toBe(0);
});

test("files and other schemes are refused, from a block and from a page", async () => {
  for (const url of [
    "file:///etc/passwd",
    "chrome://version",
    "javascript:1",
    "data:text/html,x",
    "http://a:b@example.com",
  ]) {
    expect((await visit(url)).message).toContain("The url can't be opened");
  }
  page = trying(`
    const frame = document.createElement("iframe");
    frame.src = "file:///etc/passwd";
    document.body.append(frame);
    fetch("file:///etc/passwd").then(() => end("read"), () => end("refused"));
  `);
  expect((await visit(outside.url)).extracted).toBe("refused done");
});
