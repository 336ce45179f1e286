/** A problem, and the name of the input or of the field of an answer that it is about. */
type WithField<Found> = Found & { readonly field?: string };

/** Problems by the fields of a form. What is wrong with an answer is told in one message: `answer.count must be at least 3; answer needs 'who'`. */
export function findFields<Found extends { readonly message: string }>(
  problems: readonly Found[],
): readonly WithField<Found>[] {
  return problems.flatMap((found): readonly WithField<Found>[] => {
    const [, reasons] = /^The answer does not fit: (.*)\.$/s.exec(found.message) ?? [];
    if (reasons !== undefined) return reasons.split("; ").map((reason) => ({ ...found, ...readReason(reason) }));
    const [, field] = /\binput '([^']+)'/i.exec(found.message) ?? [];
    return [field === undefined ? found : { ...found, field }];
  });
}

function readReason(reason: string): { readonly message: string; readonly field?: string } {
  const [, name = "", words] = /^answer(?:\.([^. [\]]+)\S*)? (.*)$/s.exec(reason) ?? [];
  if (words === undefined) return { message: reason };
  const [, missing] = /^needs '(.*)'$/s.exec(words) ?? [];
  return missing === undefined
    ? { field: name, message: `It ${words}.` }
    : { field: missing, message: "It is needed." };
}
