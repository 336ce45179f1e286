import type { IncomingMessage, ServerResponse } from "node:http";
import { openServer, type TestServer } from "./http-server.ts";

/** Pages to be looked at and acted on: a form that answers, a page that changes by itself, pages that ask and open others. */
export async function openShop(): Promise<TestServer> {
  const server: TestServer = await openServer((request, response) => {
    answer(request, response, server.requests.at(-1)?.body ?? "");
  });
  return server;
}

function answer(request: IncomingMessage, response: ServerResponse, sent: string): void {
  const { pathname } = new URL(request.url ?? "", "http://shop");
  const page = pages[pathname];
  if (pathname === "/order") {
    const order = new URLSearchParams(sent);
    const answered = `${order.get("size")} for ${order.get("name")?.length} characters`;
    return show(response, "Thanks", `<p id=answer>${answered}</p>`);
  }
  if (pathname === "/remember") response.setHeader("set-cookie", "visitor=known");
  if (pathname === "/who") return show(response, "Who", `<p id=who>${request.headers.cookie ?? "nobody"}</p>`);
  if (pathname === "/never") return;
  if (page === undefined) return void response.writeHead(404).end("no such page");
  show(response, page.title, page.body);
}

function show(response: ServerResponse, title: string, body: string): void {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(`<!doctype html><title>${title}</title><body>${body}`);
}

const pages: Readonly<Record<string, { readonly title: string; readonly body: string }>> = {
  "/": {
    title: "Shop",
    body: `<div style="position:fixed;top:0;left:0;width:100px;height:100px;background:#ff0000"></div>
      <div style="position:fixed;top:0;left:100px;width:100px;height:100px;background:#0000ff"></div>
      <form action=/order method=post style="margin-top:120px">
        <label>Your name <input name=name></label>
        <label>Size <select name=size><option value=s>Small</option><option value=l>Large</option></select></label>
        <button>Order now</button>
      </form>
      <ul><li><a href=/who>first</a><li><a href=/late>second</a></ul>`,
  },
  "/remember": { title: "Remembered", body: "" },
  "/late": {
    title: "Late",
    body: `<p id=state>not yet</p><script>setTimeout(() => { state.textContent = "ready" }, 300)</script>`,
  },
  "/noise": {
    title: "Noise",
    body: `<script>alert("look here"); document.title = confirm("sure?") ? "yes" : "no"</script>
      <a href=/who target=_blank>elsewhere</a>`,
  },
  "/stuck": { title: "Stuck", body: `<button onclick="for (;;) {}">Think</button>` },
};
