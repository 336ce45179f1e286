import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../../util/result.ts";
import { hasCode } from "../files/file-problems.ts";
import { isOurs } from "../files/ownership.ts";
import { makePrivate } from "../files/private-directory.ts";

export interface TokenStore {
  /** Where the token is, for people. */
  readonly file: string;
  /** The token; nothing when there is none yet. The error says why the one that is there can't be used. */
  read(): Result<string | undefined, string>;
  /** Makes one, unless another process has just done so; gives the one that counts. */
  create(): Result<string, string>;
}

const tokenBytes = 32;
const shortest = 32;

/** Keeps, in the state directory, the token that clients show to the HTTP server. It is worth nothing once others can read it. */
export function createTokenStore(stateDirectory: string): TokenStore {
  const file = join(stateDirectory, "http-token");
  return {
    file,
    read: () => readToken(file),
    create() {
      try {
        const problem = makePrivate(stateDirectory);
        if (problem !== undefined) return err(problem);
        writeOnce(file, randomBytes(tokenBytes).toString("base64url"));
      } catch (error) {
        return err(`The token can't be written to ${file}: ${describe(error)}.`);
      }
      const made = readToken(file);
      if (!made.ok || made.value !== undefined) return made as Result<string, string>;
      return err(`The token in ${file} is gone again.`);
    },
  };
}

/** Complete before the name leads to it, and never over one that is there. */
function writeOnce(file: string, token: string): void {
  const temporary = `${file}.${randomBytes(12).toString("hex")}`;
  try {
    writeFileSync(temporary, `${token}\n`, { mode: 0o600, flag: "wx" });
    linkSync(temporary, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function readToken(file: string): Result<string | undefined, string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return ok(undefined);
    if (hasCode(error, "ELOOP")) return err(`${file} is a symbolic link, which is not followed.`);
    return err(`The token in ${file} can't be read: ${describe(error)}.`);
  }
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return err(`${file} is no file.`);
    if (!isOurs(found)) return err(`${file} belongs to another user.`);
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
      return err(`${file} can be read by others, so the token in it is no longer a secret.`);
    }
    const token = readFileSync(descriptor, "utf8").trim();
    if (token.length < shortest || /\s/.test(token)) {
      return err(`${file} holds no token: it should be one word of at least ${shortest} characters.`);
    }
    return ok(token);
  } finally {
    closeSync(descriptor);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
