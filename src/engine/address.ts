/** A block's path: keys from the root joined by `/`. Only element keys can hold characters that need encoding. */
export function childPath(parent: string, key: string): string {
  const safe = /[%/@]/.test(key) ? key.replaceAll(/[%/@]/g, encodeURIComponent) : key;
  return parent === "" ? safe : `${parent}/${safe}`;
}

/** One step of an address such as `deploy@2/build`; without a number all its attempts are meant, or the latest. */
export interface AddressStep {
  readonly key: string;
  readonly attempt?: number;
}

export function parseAddress(address: string): AddressStep[] {
  if (address === "") return [];
  return address.split("/").map((step) => {
    const [, key, attempt] = /^(.*)@([1-9]\d{0,5})$/.exec(step) ?? [];
    return key === undefined ? { key: step } : { key, attempt: Number(attempt) };
  });
}

/** The path that an address leads to, whatever the attempts. */
export function pathOf(address: string): string {
  return parseAddress(address)
    .map(({ key }) => key)
    .join("/");
}

/** The block of the run's own workflow that a block is, or lies in. */
export function outermost(path: string): string {
  return path.split("/", 1)[0] as string;
}
