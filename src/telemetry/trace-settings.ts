import { hostname } from "node:os";
import { err, ok, type Result } from "../util/result.ts";

/** Where traces go, as the variables of OpenTelemetry say. */
export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For one request. */
  readonly timeoutMs: number;
  /** Of this process. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** Nothing where no traces are wanted; else where they go, or why that can't be. */
export function readTraceSettings(
  variables: Readonly<Record<string, string | undefined>>,
  version: string,
): Result<TraceSettings, string> | undefined {
  const read = (name: string): string | undefined => variables[name]?.trim() || undefined;
  const endpoint = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const ofTraces = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const exporter = read("OTEL_TRACES_EXPORTER") ?? "otlp";
  const url = ofTraces ?? (endpoint === undefined ? undefined : `${endpoint.replace(/\/+$/, "")}/v1/traces`);
  if (url === undefined || exporter !== "otlp" || read("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  const protocol = read("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? read("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol === "grpc") {
    return err(
      "Frond sends traces over HTTP, not gRPC. Name the collector's HTTP port, mostly 4318, and set OTEL_EXPORTER_OTLP_PROTOCOL=http/json.",
    );
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return err(
      `'${url}' is no address that traces could be sent to. Set OTEL_EXPORTER_OTLP_ENDPOINT to one such as http://localhost:4318.`,
    );
  }
  const timeout = Number(read("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") ?? read("OTEL_EXPORTER_OTLP_TIMEOUT"));
  return ok({
    url,
    headers: pairs(read("OTEL_EXPORTER_OTLP_TRACES_HEADERS") ?? read("OTEL_EXPORTER_OTLP_HEADERS")),
    timeoutMs: timeout > 0 ? timeout : 10_000,
    resource: {
      "service.name": "frond",
      "service.version": version,
      "host.name": hostname(),
      "process.pid": process.pid,
      ...pairs(read("OTEL_RESOURCE_ATTRIBUTES")),
      ...named(read("OTEL_SERVICE_NAME")),
    },
  });
}

function named(service: string | undefined): Record<string, string> {
  return service === undefined ? {} : { "service.name": service };
}

/** `a=1,b=2`, as OpenTelemetry writes lists in variables; what can't be read is left out. */
function pairs(text = ""): Record<string, string> {
  const found = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at)).trim();
    return name === "" ? [] : [[name, decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(found);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
