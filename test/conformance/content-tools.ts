import { setTimeout as delay } from "node:timers/promises";
import {
  type CallToolResult,
  type ContentBlock,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
} from "@modelcontextprotocol/server";
import type { ClientRequest } from "../../src/mcp/client.ts";
import type { JsonSchema } from "../../src/mcp/tool.ts";
import { pixel, silence } from "./media.ts";

/** A tool of the suite that runs nothing: it shows that whatever a server may say gets through. */
export interface ContentTool {
  readonly name: string;
  /** Of its arguments; none when it is left out. */
  readonly inputSchema?: JsonSchema;
  call(
    args: Readonly<Record<string, unknown>>,
    request: ClientRequest,
    changeTools: () => void,
  ): Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;
}

export function says(...content: readonly (string | ContentBlock)[]): CallToolResult {
  return { content: content.map((one) => (typeof one === "string" ? { type: "text", text: one } : one)) };
}

const image: ContentBlock = { type: "image", data: pixel, mimeType: "image/png" };
/** Between two notifications, so that each is on its way before the next. */
const pauseMs = 50;

/** With everything that somebody might think needs no passing on. */
const newestSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "address",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { required: ["address"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["name"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

export const contentTools: readonly ContentTool[] = [
  { name: "test_simple_text", call: () => says("This is a simple text response for testing.") },
  { name: "test_image_content", call: () => says(image) },
  { name: "test_audio_content", call: () => says({ type: "audio", data: silence, mimeType: "audio/wav" }) },
  {
    name: "test_embedded_resource",
    call: () => says(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
  },
  {
    name: "test_multiple_content_types",
    call: () =>
      says(
        "Multiple content types test:",
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ),
  },
  {
    name: "test_tool_with_progress",
    async call(_, { context: { mcpReq } }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100 };
        if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
        await delay(pauseMs);
      }
      return says("done");
    },
  },
  ...["test_tool_with_logging", "test_logging_tool"].map((name) => ({
    name,
    async call(_: unknown, { context }: ClientRequest) {
      for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await context.mcpReq.log("info", message);
        await delay(pauseMs);
      }
      return says("done");
    },
  })),
  {
    name: "test_missing_capability",
    call(_, { capabilities }) {
      if (capabilities.sampling !== undefined) return says("done");
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  { name: "json_schema_2020_12_tool", inputSchema: newestSchema, call: () => says("done") },
  {
    name: "test_trigger_tool_change",
    call(_, __, changeTools) {
      changeTools();
      return says("done");
    },
  },
];

function embedded(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text } };
}
