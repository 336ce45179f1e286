import { InvalidArgumentError } from "commander";

/** Names separated by commas; only known ones, where those are given. */
export function parseList<Name extends string>(known?: readonly Name[]): (text: string) => readonly Name[] {
  return (text) => {
    const names = text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
    const unknown = names.find((name) => known !== undefined && !known.some((one) => one === name));
    if (unknown !== undefined) throw new InvalidArgumentError(`'${unknown}' is unknown. Known: ${known?.join(", ")}.`);
    return names as Name[];
  };
}
