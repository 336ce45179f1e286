import type { Schema } from "../../schema.ts";
import { logs } from "./0003-logs.ts";
import { runsAndEvents } from "./0003-runs-and-events.ts";
import { writing } from "./0003-writing.ts";

export const schema: Schema = { first: 3, migrations: [[runsAndEvents, writing, logs].join("\n")] };
