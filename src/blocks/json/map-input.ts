import * as z from "zod";
import { isMap, type Value } from "../../expression/value.ts";

/** A map that arrives with every key it has; a record of the schema library would leave out `__proto__`. */
export function mapInput(): z.ZodUnknown {
  return z
    .unknown()
    .refine((value) => value !== undefined && isMap(value as Value), "must be a map")
    .meta({ type: "object" });
}
