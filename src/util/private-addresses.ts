import { BlockList, isIP } from "node:net";
import { once } from "./once.ts";

/**
 * Which addresses lead anywhere but into the public internet. IPv4 goes by what is reserved; of IPv6 only the part that is handed
 * out is public, with what IPv4 addresses are embedded in it judged as IPv4. What can't be read as an address is never public.
 */
export function privateRange(address: string): string | undefined {
  const version = isIP(address);
  if (version === 0) return "no address that can be checked";
  const family = version === 4 ? "ipv4" : "ipv6";
  const range = ranges().find(({ list }) => list.check(address, family));
  if (range !== undefined) return range.name;
  return family === "ipv4" || publicInIpv6().check(address, family) ? undefined : "a reserved address";
}

/** By name; a subnet is its first address and the bits that count. */
const reserved: Readonly<Record<string, readonly string[]>> = {
  "an address of this machine": ["0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128"],
  "an address of a private network": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"],
  "a link-local address, where clouds keep their metadata": ["169.254.0.0/16", "fe80::/10"],
  // The only one that looks public: where every machine in Azure finds its host.
  "an address where a cloud keeps its metadata": ["168.63.129.16/32"],
  "a multicast address": ["224.0.0.0/4", "ff00::/8"],
  "a reserved address": [
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    // Teredo and other protocols, 6to4, documentation: tunnels to IPv4 addresses that nobody checks, or nothing at all.
    "2001::/23",
    "2002::/16",
    "2001:db8::/32",
    "3fff::/20",
  ],
};

/** Global unicast, and the two ways to write an IPv4 address: mapped, and through NAT64. */
const publicInIpv6 = once(() => listOf(["2000::/3", "::ffff:0.0.0.0/96", "64:ff9b::/96"]));

const ranges = once(() =>
  Object.entries(reserved).map(([name, subnets]) => ({
    name,
    list: listOf(subnets.flatMap((subnet) => (subnet.includes(":") ? [subnet] : [subnet, ...embedded(subnet)]))),
  })),
);

function embedded(subnet: string): string[] {
  const [address, bits] = subnet.split("/");
  return ["::ffff:", "64:ff9b::"].map((prefix) => `${prefix}${address}/${96 + Number(bits)}`);
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits] = subnet.split("/");
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
