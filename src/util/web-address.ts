import { err, ok, type Result } from "./result.ts";

/** An address for http or https, relative to another one where there is a base. The error says what is wrong with it. */
export function readWebAddress(text: string, base?: URL): Result<URL, string> {
  if (!URL.canParse(text, base?.href)) return err("it is not an address such as https://example.com/path");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return err("only http:// and https:// addresses can be called");
  if (url.username !== "" || url.password !== "")
    return err("it holds a user name or password, which belong into headers");
  return ok(url);
}

/** For messages: without the query, which may hold what is nobody's business. */
export function showWebAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** The host as a connection wants it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}
