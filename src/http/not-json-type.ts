import type { Refusal } from "./endpoint.ts";

export const notJsonType: Refusal = {
  status: 415,
  code: "not-json",
  message: "Send JSON, with the header `Content-Type: application/json`.",
};
