import type { Stop } from "./source.ts";

/** A browser opens six connections to a server at most, over all its tabs: so many are left to tabs that nobody sees. */
const most = 3;

/** A right to keep a stream open in a hidden tab, so that its title goes on telling; nothing where others have all of them. */
export async function holdHiddenStream(): Promise<Stop | undefined> {
  for (let index = 0; index < most; index++) {
    const release = await tryLock(`frond-hidden-stream-${index}`);
    if (release !== undefined) return release;
  }
  return undefined;
}

function tryLock(name: string): Promise<Stop | undefined> {
  return new Promise((resolve) => {
    const asked = navigator.locks?.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(undefined);
      // The lock is held until this is resolved, or the tab is closed.
      return new Promise<void>((release) => resolve(release));
    });
    if (asked === undefined) resolve(undefined);
    else asked.catch(() => resolve(undefined));
  });
}
