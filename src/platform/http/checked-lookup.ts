import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { HttpFailure } from "./http-failure.ts";

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** What is wrong with an address, if it is not to be reached. */
export type JudgeAddress = (address: string) => string | undefined;

export const systemResolve: Resolve = async (name) => {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  return lookup(name, { all: true });
};

/**
 * The lookup of a connection, which gives it only addresses that have passed. Since nobody looks the name up a second time, a
 * name that changes its address in between gains nothing.
 */
export function checkedLookup(resolve: Resolve, judge: JudgeAddress): LookupFunction {
  return (name, { all }, callback) => {
    choose(name, resolve, judge).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

async function choose(name: string, resolve: Resolve, judge: JudgeAddress): Promise<Addresses> {
  const found = await resolve(name);
  const [first, ...others] = found.filter(({ address }) => judge(address) === undefined);
  if (first !== undefined) return [first, ...others];
  const [refused] = found;
  if (refused === undefined) throw new HttpFailure("unreachable", "can't be reached: its name has no address");
  throw refusal(`'${name}' is ${refused.address}, ${judge(refused.address)}`);
}

/** A connection to an address that stands in the URL itself makes no lookup. */
export function checkLiteral(host: string, judge: JudgeAddress): void {
  const problem = isIP(host) === 0 ? undefined : judge(host);
  if (problem !== undefined) throw refusal(`it is ${problem}`);
}

function refusal(why: string): HttpFailure {
  return new HttpFailure("refused", `is refused: ${why}. \`allow_private: true\` allows it.`);
}
