/** The longest time Node's own timers can be set to; beyond it they fire at once. */
const longest = 2_147_483_647;

/** Calls once after so many milliseconds, however many. The answer stops it. */
export function startTimer(milliseconds: number, onTime: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number): void => {
    timer =
      left > longest
        ? setTimeout(() => wait(left - longest), longest)
        : setTimeout(onTime, Math.max(0, Math.ceil(left)));
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}
