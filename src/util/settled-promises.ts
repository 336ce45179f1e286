/** Resolves when everything is done that waits for nothing but promises: no timer, no system, no other turn of the event loop. */
export function settledPromises(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
