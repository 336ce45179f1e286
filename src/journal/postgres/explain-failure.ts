import { isDamage } from "../damage.ts";
import { JournalError } from "../journal.ts";
import { newer } from "../schema.ts";
import { answerCode, ConnectionLost, isMissing, isServerAway, isTlsRefusal, ServerAway } from "./failures.ts";
import { waysOut } from "./migrate.ts";

const check = "check FROND_DATABASE_URL";

/** As one line for the user; a failure that is nobody's but the program's stays as it is. `place` names no password. */
export function explainFailure(failure: unknown, place: string): unknown {
  if (isDamage(failure)) return damaged(place, failure);
  if (failure instanceof ServerAway || failure instanceof ConnectionLost || isServerAway(failure)) {
    return away(place, failure);
  }
  if (isTlsRefusal(failure)) {
    const advice =
      "In FROND_DATABASE_URL, sslmode=disable asks for none, sslmode=verify-full for a certificate that is checked by sslrootcert=FILE or the system's authorities.";
    const why = oneLine((failure as Error).message);
    return new JournalError("unusable", `${place}: TLS can't be agreed on: ${why}. ${advice}`, failure);
  }
  const code = answerCode(failure);
  if (code === undefined) return failure;
  const said = oneLine((failure as Error).message);
  if (code === "FR001") return newer(place, waysOut, failure);
  if (code.startsWith("28")) {
    return new JournalError(
      "unusable",
      `${place} does not let you in: ${said}. Check the user, the password and sslmode in FROND_DATABASE_URL.`,
      failure,
    );
  }
  if (code === "3D000") {
    return new JournalError("unusable", `${place}: ${said}. Make it with CREATE DATABASE, or ${check}.`, failure);
  }
  if (isMissing(failure)) {
    const advice = "Try again, with what is there now.";
    return new JournalError(
      "removed",
      `The journal in ${place} has been removed while it was in use. ${advice}`,
      failure,
    );
  }
  if (code === "42501") {
    const advice = "Grant the user CREATE on the database, or the ownership of the schema frond";
    return new JournalError("unusable", `${place}: ${said}. ${advice}, or ${check}.`, failure);
  }
  if (code === "53100")
    return new JournalError("full", `There is no space left on the disk of ${place}. Free some.`, failure);
  if (code === "25006") {
    const advice = "Connect to the primary server";
    return new JournalError("read-only", `${place} can't be written to. ${advice}: ${check}.`, failure);
  }
  if (code.startsWith("XX")) return damaged(place, failure);
  // Resources that others use up: memory, locks, a limit that an administrator has set.
  if (/^(53|54|55|57|58)/.test(code))
    return new JournalError("busy", `${place} refuses: ${said}. Try again later.`, failure);
  return failure;
}

/** Whether the reason has nothing to do with what was asked. */
export function isOutside(failure: unknown): boolean {
  return explainFailure(failure, "") instanceof JournalError;
}

function away(place: string, failure: unknown): JournalError {
  const cause = failure instanceof ServerAway || failure instanceof ConnectionLost ? failure.cause : failure;
  const reason = cause instanceof Error ? oneLine(reasonOf(cause)) : "no answer";
  return new JournalError("busy", `${place} can't be reached: ${reason}. Start the server, or ${check}.`, failure);
}

/** Of several addresses of one name, each has failed. */
function reasonOf(failure: Error): string {
  return failure instanceof AggregateError
    ? String((failure.errors[0] as Error | undefined)?.message)
    : failure.message;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").replace(/\.$/, "");
}

function damaged(place: string, cause: unknown): JournalError {
  const advice = "Restore it from a copy, or choose another database with FROND_DATABASE_URL.";
  return new JournalError("corrupt", `${place} is damaged, or no journal of Frond. ${advice}`, cause);
}
