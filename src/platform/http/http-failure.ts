import type { HttpProblem } from "../../block/ports.ts";

/** Thrown where a request is performed, caught in `createHttp`, where it becomes a value. Its message goes on after the address. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly kind: HttpProblem["kind"];

  constructor(kind: HttpProblem["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `where` is the address in words; every message begins with it. */
export function explainHttpFailure(error: unknown, where: string): HttpProblem {
  if (error instanceof HttpFailure) return { kind: error.kind, message: `${where} ${error.message}` };
  const cause = firstCause(error);
  const code = cause.code ?? "";
  const malformed = explainMalformed(code, cause);
  if (malformed !== undefined) return { kind: "bad-response", message: `${where} ${malformed}` };
  return { kind: "unreachable", message: `${where} can't be reached: ${explainConnection(code, cause)}` };
}

interface NodeError extends Error {
  readonly code?: string;
  /** Of the HTTP parser and of OpenSSL: the short form of the message. */
  readonly reason?: string;
  readonly hostname?: string;
}

/** A name with several addresses fails once for each of them. */
function firstCause(error: unknown): NodeError {
  if (error instanceof AggregateError && error.errors.length > 0) return firstCause(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

function explainMalformed(code: string, { message, reason }: NodeError): string | undefined {
  if (code === "HPE_HEADER_OVERFLOW") return "answers with headers that are too large";
  if (code.startsWith("HPE_")) return `does not answer in valid HTTP: ${reason ?? message}`;
  return undefined;
}

const connectionProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before there was an answer",
  EPIPE: "the connection was closed before the request was sent",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network",
  EHOSTDOWN: "the host is down",
  EADDRNOTAVAIL: "there is no way to the address from here",
  EAI_AGAIN: "its name can't be looked up at the moment",
  ENOTFOUND: "there is no host of this name",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself, not by an authority that is trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by an authority that is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is signed by an authority that is not known",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is signed by an authority that is not known",
};

function explainConnection(code: string, { message, reason }: NodeError): string {
  const known = connectionProblems[code];
  if (known !== undefined) return known;
  const tls = /SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  if (tls === undefined) return reason ?? message;
  return noTls.test(tls) ? "it does not speak TLS; is it an http:// address?" : `there is no agreement on TLS (${tls})`;
}

const noTls = /wrong version number|packet length too long|http request/;
