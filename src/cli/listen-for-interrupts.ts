import { type CliContext, exitCodes } from "./context.ts";

/** After KILL only something that is no process can still keep us from ending. */
const patienceAfterKillMs = 3000;

/** Asked once to stop, what runs gets its grace; asked twice, every process is killed at once. */
export function listenForInterrupts(
  context: CliContext,
  onInterrupt: (again: boolean) => void,
  kill: () => void,
): () => void {
  let interrupts = 0;
  let lastResort: NodeJS.Timeout | undefined;
  const stopListening = context.onInterrupt(() => {
    interrupts++;
    if (interrupts <= 2) onInterrupt(interrupts === 2);
    if (interrupts < 2) return;
    lastResort ??= setTimeout(() => process.exit(exitCodes.cancelled), patienceAfterKillMs);
    kill();
  });
  return () => {
    stopListening();
    clearTimeout(lastResort);
  };
}
