import { render } from "preact";
import { createHttpSource } from "./data/http-source.ts";
import "./look/tokens.css";
import "./look/controls.css";
import { Page } from "./page.tsx";

const root = document.getElementById("page");
if (root !== null) render(<Page source={createHttpSource()} />, root);
