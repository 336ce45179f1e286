/** What PostgreSQL, or the connection to it, has said. */
interface Failure extends Error {
  /** Five characters of PostgreSQL, or the name of an error of the system. */
  readonly code?: string;
  /** Only where PostgreSQL itself has answered. */
  readonly severity?: string;
}

/** A statement had been sent when its connection was lost: it may have been done, or be done yet. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

/** The server can't be spoken with now, which may be over soon; nothing has been sent. */
export class ServerAway extends Error {
  override readonly name = "ServerAway";
}

/** PostgreSQL's answer by its code; nothing for what is no answer of PostgreSQL. */
export function answerCode(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  const { code, severity } = failure as Failure;
  return severity === undefined ? undefined : code;
}

/** The two sides don't agree on TLS, or on a certificate: trying again changes nothing. */
export function isTlsRefusal(failure: unknown): boolean {
  if (!(failure instanceof Error) || answerCode(failure) !== undefined) return false;
  const { code = "", message } = failure as Failure;
  return /support SSL connections|establishing an SSL/i.test(message) || /CERT|^ERR_(TLS|SSL)|SIGNATURE/.test(code);
}

/** The server goes, starts, or has no room for another connection. */
export function isServerAway(failure: unknown): boolean {
  const code = answerCode(failure);
  if (code !== undefined) return /^(57P0[1235]|08|53300)/.test(code);
  if (!(failure instanceof Error) || isTlsRefusal(failure)) return false;
  const { code: system = "" } = failure as Failure;
  return /^E[A-Z_]+$/.test(system) || /connection|terminated|timeout|not queryable/i.test(failure.message);
}

/** Rolled back because of what others did at the same time: may be done again at once. */
export function isConflict(failure: unknown): boolean {
  return ["40001", "40P01", "55P03"].includes(answerCode(failure) ?? "");
}

/** A table, function, schema or database is not there. */
export function isMissing(failure: unknown): boolean {
  return ["3F000", "42P01", "42883", "3D000"].includes(answerCode(failure) ?? "");
}
