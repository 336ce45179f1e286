import { render } from "preact";
import type { FrozenRun } from "../views/page/page-records.ts";
import { createFrozenSource } from "./data/frozen-source.ts";
import "./look/tokens.css";
import "./look/controls.css";
import { Page } from "./page.tsx";
import { keepPlacesBehindHash } from "./place.ts";

const frozen = JSON.parse(document.getElementById("frozen")?.textContent ?? "") as FrozenRun;
keepPlacesBehindHash();
if (!location.hash.startsWith("#/runs/")) history.replaceState(undefined, "", `#/runs/${frozen.run_id}`);
const root = document.getElementById("page");
if (root !== null) render(<Page source={createFrozenSource(frozen)} />, root);
