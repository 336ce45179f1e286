import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isLoopback(address: string): boolean {
  const plain = withoutMapping(address);
  return isIP(plain) !== 0 && loopback.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

/** Where a connection has arrived. */
export interface Arrival {
  readonly address: string;
  readonly port: number;
}

/**
 * The names under which a client may speak to this server, as they stand in `Host`: the address that it has connected to, this
 * machine's own name where that is a loopback address, and those that the user allows. A web page that leads its own name to our
 * address, to get around the browser's rules, says that name and is found out.
 */
export function allowedHosts({ address, port }: Arrival, allowed: readonly string[]): ReadonlySet<string> {
  const plain = withoutMapping(address);
  const own = isIP(plain) === 6 ? `[${plain}]` : plain;
  const names = isLoopback(plain) ? [own, "localhost"] : [own];
  const hosts = names.flatMap((name) => withPort(name, port));
  for (const entry of allowed) hosts.push(...(hasPort(entry) ? [entry] : [entry, ...withPort(entry, port)]));
  return new Set(hosts.map((host) => host.toLowerCase()));
}

/** A page of one of these names, and of nothing else, may call: there is no answer for any other origin. */
export function isAllowedOrigin(origin: string, hosts: ReadonlySet<string>): boolean {
  const [, host] = /^https?:\/\/(.+)$/.exec(origin.toLowerCase()) ?? [];
  return host !== undefined && hosts.has(host);
}

/** HTTP leaves out its usual port. */
function withPort(name: string, port: number): string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

function hasPort(entry: string): boolean {
  return /:\d+$/.test(entry) && isIP(entry) === 0;
}

/** An IPv4 address, as a socket for both versions shows it. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
