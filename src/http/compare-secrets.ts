import { createHash, timingSafeEqual } from "node:crypto";

/** Takes the same time whatever is compared with the secret. */
export function compareWith(secret: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const wanted = digest(secret);
  return (given) => timingSafeEqual(digest(given), wanted);
}
