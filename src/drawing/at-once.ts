/** Performs work that says, by yielding, where it could rest; nobody else waits here. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
