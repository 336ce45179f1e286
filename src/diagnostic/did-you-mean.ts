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

/** The words of a name: `run-tests`, `run_tests` and `runTests` have the same. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[-_\s./]+/)
    .filter((word) => word !== "");
}

function slipsAllowed(length: number): number {
  return Math.max(1, Math.floor(length / 3));
}

/** Of names that have as many words each word must be near: `rerun_all` is no slip of `resume_all`. */
function isNearByWords(wanted: readonly string[], candidate: string): boolean {
  if (wanted.length < 2) return true;
  const words = wordsOf(candidate);
  if (words.length !== wanted.length) return true;
  return wanted.every((word, index) => {
    const most = slipsAllowed(word.length);
    return distance(word, words[index] as string, most) <= most;
  });
}

/** The known name a reader most likely meant, if one is near enough to be worth saying. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestComparedName) return undefined;
  const wanted = normalise(name);
  const words = wordsOf(name);
  let best: string | undefined;
  // A name with no letter in common is no slip of the fingers.
  let bestDistance = Math.min(slipsAllowed(wanted.length) + 1, wanted.length);
  for (const candidate of known) {
    if (candidate.length > longestComparedName) continue;
    const compared = normalise(candidate);
    if (Math.abs(compared.length - wanted.length) >= bestDistance) continue;
    const measured = distance(wanted, compared, bestDistance - 1);
    if (measured < bestDistance && isNearByWords(words, candidate)) {
      best = candidate;
      bestDistance = measured;
    }
  }
  return best;
}

const mostRelated = 3;
const shortestPart = 3;

/**
 * Known names that may be meant although they are written otherwise: one is a part of the other, or they share words. A word that
 * many names have tells nothing. The likeliest first.
 */
export function relatedNames(name: string, known: Iterable<string>): readonly string[] {
  if (name.length > longestComparedName) return [];
  const candidates = [...known].filter((candidate) => candidate.length <= longestComparedName).map(describeName);
  const wanted = describeName(name);
  const weights = new Map(wanted.words.map((word) => [word, weightOf(word, candidates)]));
  const scored = candidates.flatMap((candidate) => {
    let score = partScore(wanted.whole, candidate.whole);
    for (const word of candidate.words) {
      for (const [other, weight] of weights) score += weight * likeness(word, other);
    }
    return score > 0 ? [{ name: candidate.name, score }] : [];
  });
  scored.sort((a, b) => b.score - a.score);
  const least = (scored[0]?.score ?? 0) / 2;
  return scored.slice(0, mostRelated).flatMap((found) => (found.score >= least ? [found.name] : []));
}

interface DescribedName {
  readonly name: string;
  readonly whole: string;
  readonly words: readonly string[];
}

function describeName(name: string): DescribedName {
  const words = [...new Set(wordsOf(name))].filter((word) => word.length > 1);
  return { name, whole: normalise(name).toLowerCase(), words };
}

function partScore(wanted: string, known: string): number {
  const [shorter, longer] = wanted.length < known.length ? [wanted, known] : [known, wanted];
  return shorter.length >= shortestPart && longer.includes(shorter) ? 2 * (shorter.length / longer.length) : 0;
}

function weightOf(word: string, candidates: readonly DescribedName[]): number {
  const holders = candidates.filter(({ words }) => words.some((other) => likeness(word, other) > 0)).length;
  const most = Math.max(1, Math.floor(candidates.length / 4));
  return holders === 0 || holders > most ? 0 : 1 + 1 / holders;
}

/** From 0, for words that have nothing in common, to 1. */
function likeness(word: string, other: string): number {
  if (word === other) return 1;
  const [shorter, longer] = word.length < other.length ? [word, other] : [other, word];
  if (shorter.length >= shortestPart && (longer.startsWith(shorter) || longer.endsWith(shorter))) return 0.8;
  return shorter.length >= 5 && distance(word, other, 1) <= 1 ? 0.8 : 0;
}

/** The names that are most likely meant, as a question; nothing where there is none. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const all = [...known];
  const nearest = nearestName(name, all);
  const names = nearest === undefined ? relatedNames(name, all) : [nearest];
  if (names.length === 0) return undefined;
  const quoted = names.map((one) => `'${one}'`);
  const last = quoted.pop();
  return `Did you mean ${quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`}?`;
}

const mostListed = 20;

/**
 * What to do about an unknown name: the known ones that are most likely meant, else the list of what there is. That list may leave
 * out names that are known but not worth learning, such as other spellings.
 */
export function suggestName(name: string, known: Iterable<string>, noun: string, listed?: Iterable<string>): string {
  const all = [...known];
  const meant = didYouMean(name, all);
  if (meant !== undefined) return meant;
  const names = listed === undefined ? all : [...listed];
  if (names.length === 0) return `There is no ${noun} at all.`;
  const rest = names.length > mostListed ? `, and ${names.length - mostListed} more` : "";
  return `Known: ${names.slice(0, mostListed).join(", ")}${rest}.`;
}
