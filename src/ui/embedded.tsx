import { render } from "preact";
import { EmbeddedPage } from "./embedded/embedded-page.tsx";
import { connectHost } from "./embedded/host.ts";
import "./look/tokens.css";
import "./look/controls.css";

const host = connectHost(window, "1");
// What leads elsewhere is opened by the host, or not at all.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link === null || event.defaultPrevented) return;
  event.preventDefault();
  const url = link.getAttribute("href") ?? "";
  if (/^https?:\/\//.test(url)) host.request("ui/open-link", { url }).catch(() => undefined);
});
const root = document.getElementById("page");
if (root !== null) render(<EmbeddedPage host={host} />, root);
