const longestComparedName = 100;

/**
 * Edit distance in which swapping two neighbouring letters is one step, the commonest slip of fingers. Gives up once the
 * distance is certain to be above `most`: nearly every name of a long list is.
 */
function distance(a: string, b: string, most: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (previous[j] as number) + 1,
        (current[j - 1] as number) + 1,
        (previous[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] as number) + 1);
      }
      current.push(best);
      least = Math.min(least, best);
    }
    // Neighbouring rows differ by one at most, so that a swap, which reaches back two rows and costs one, can't get below this.
    if (least > most) return least;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] as number;
}

function normalise(name: string): string {
  return /[-_\sA-Z]/.test(name) ? name.toLowerCase().replaceAll(/[-_\s]/g, "") : name;
}

/** The known name a reader most likely meant, if one is near enough to be worth saying. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestComparedName) return undefined;
  const wanted = normalise(name);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  // A name with no letter in common is no slip of the fingers.
  let bestDistance = Math.min(limit + 1, wanted.length);
  for (const candidate of known) {
    if (candidate.length > longestComparedName) continue;
    const compared = normalise(candidate);
    if (Math.abs(compared.length - wanted.length) >= bestDistance) continue;
    const measured = distance(wanted, compared, bestDistance - 1);
    if (measured < bestDistance) {
      best = candidate;
      bestDistance = measured;
    }
  }
  return best;
}

const mostListed = 12;

/**
 * What to do about an unknown name: the nearest known one, else the list of what there is. That list may leave out names that
 * are known but not worth learning, such as other spellings.
 */
export function suggestName(name: string, known: Iterable<string>, noun: string, listed?: Iterable<string>): string {
  const all = [...known];
  const nearest = nearestName(name, all);
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  const names = listed === undefined ? all : [...listed];
  if (names.length === 0) return `There is no ${noun} to choose from.`;
  const rest = names.length > mostListed ? `, and ${names.length - mostListed} more` : "";
  return `Known: ${names.slice(0, mostListed).join(", ")}${rest}.`;
}
