import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { privateRange } from "./private-addresses.ts";

/** First and last addresses of what is not public, written out so that the test does not compute them as the code does. */
const ranges = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["168.63.129.16", "168.63.129.16"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "239.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
] as const;

function toNumber(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}

function isReserved(number: number): boolean {
  return ranges.some(([first, last]) => number >= toNumber(first) && number <= toNumber(last));
}

/** The same address in IPv4, mapped in both notations, and through NAT64. */
function spellings(number: number): string[] {
  const [high, low] = [Math.floor(number / 65536).toString(16), (number % 65536).toString(16)];
  const dotted = toAddress(number);
  return [dotted, `::ffff:${dotted}`, `::FFFF:${high}:${low}`, `64:ff9b::${dotted}`, `64:ff9b::${high}:${low}`];
}

function judge(number: number): boolean[] {
  return spellings(number).map((address) => privateRange(address) === undefined);
}

const none = [false, false, false, false, false];
const all = [true, true, true, true, true];

test.each(ranges)("%s to %s is not public in any spelling, what lies beside it is", (first, last) => {
  for (const edge of [toNumber(first), toNumber(last)]) expect(judge(edge)).toEqual(none);
  for (const beside of [toNumber(first) - 1, toNumber(last) + 1]) {
    if (beside >= 0 && beside < 2 ** 32 && !isReserved(beside)) expect(judge(beside)).toEqual(all);
  }
});

test("any IPv4 address is judged alike in all spellings, by the ranges alone", () => {
  const addresses = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(addresses, (number) => {
      expect(judge(number)).toEqual(isReserved(number) ? none : all);
    }),
    { seed: 4, numRuns: 2000 },
  );
});

describe("IPv6", () => {
  test.each([
    ["::", "this machine"],
    ["::1", "this machine"],
    ["0:0:0:0:0:0:0:1", "this machine"],
    ["fc00::1", "private network"],
    ["fdff:ffff::1", "private network"],
    ["fd00:ec2::254", "private network"],
    ["fe80::1", "link-local"],
    ["febf::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["ff02::1", "multicast"],
    ["2002:7f00:1::", "reserved"],
    ["2002:c0a8:101::1", "reserved"],
    ["2001:0:7f00:1::", "reserved"],
    ["2001:db8::1", "reserved"],
    ["3fff::1", "reserved"],
    ["::127.0.0.1", "reserved"],
    ["64:ff9b:1::1", "reserved"],
    ["100::1", "reserved"],
    ["fec0::1", "reserved"],
    ["4000::1", "reserved"],
  ])("%s is not public: %s", (address, why) => {
    expect(privateRange(address)).toContain(why);
  });

  test.each(["2606:4700:4700::1111", "2a00:1450:4001:82a::200e", "2001:4860:4860::8888", "2400:cb00::1"])(
    "%s is public",
    (address) => expect(privateRange(address)).toBeUndefined(),
  );
});

test.each(["", "localhost", "127.1", "0x7f.0.0.1", "010.0.0.1", "8.8.8.8.", " 8.8.8.8", "1.2.3.4/8"])(
  "'%s' is no address that could be public",
  (text) => expect(privateRange(text)).toBe("no address that can be checked"),
);
