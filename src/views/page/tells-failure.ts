/**
 * Lines that tell of a failure, in the words and crosses that most tools use. The crosses are escaped: bundles are ASCII, and what
 * builds them leaves regular expressions as they are.
 */
const failurePattern: RegExp =
  /\b\w*(?:error|exception)\b(?!s? ?[:=]? ?0\b)|\b(?:fatal|panic|traceback|failed|failure|FAIL)\b|[\u2716-\u2718]/iu;
const noFailure = /\b(?:0|no) (?:errors?|failures?|failed)\b/i;

export function tellsFailure(text: string): boolean {
  return failurePattern.test(text) && !noFailure.test(text);
}
