import type { Schema } from "../../schema.ts";
import { runsAndEvents } from "./0008-runs-and-events.ts";

export const schema: Schema = { first: 8, migrations: [runsAndEvents] };
