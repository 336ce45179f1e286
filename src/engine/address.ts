/** A block's address: keys from the root joined by `/`. Only element keys can hold the two characters that need encoding. */
export function childPath(parent: string, key: string): string {
  const safe = key.includes("/") || key.includes("%") ? key.replaceAll("%", "%25").replaceAll("/", "%2F") : key;
  return parent === "" ? safe : `${parent}/${safe}`;
}
