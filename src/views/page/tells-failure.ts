/** Lines that tell of a failure, in the words that most tools use. */
const failurePattern: RegExp =
  /\b\w*(?:error|exception)\b(?!s? ?[:=]? ?0\b)|\b(?:fatal|panic|traceback|failed|failure|FAIL)\b|[✗✖✘]/iu;
const noFailure = /\b(?:0|no) (?:errors?|failures?|failed)\b/i;

export function tellsFailure(text: string): boolean {
  return failurePattern.test(text) && !noFailure.test(text);
}
