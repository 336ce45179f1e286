import { type CliContext, exitCodes } from "./context.ts";

/** After KILL only something that is no process can still keep us from ending. */
const patienceAfterKillMs = 3000;

export interface InterruptHandlers {
  onEnd(again: boolean): void;
  /** Called once, however often it is told: the system and the shell may both do so. Taken for a request to end if absent. */
  onHangUp?(): void;
  kill(): void;
}

/** Asked once to stop, what runs gets its grace; asked twice, every process is killed at once. */
export function listenForInterrupts(
  context: CliContext,
  { onEnd, onHangUp = () => onEnd(false), kill }: InterruptHandlers,
): () => void {
  let interrupts = 0;
  let lastResort: NodeJS.Timeout | undefined;
  let isHungUp = false;
  const stopListening = context.onInterrupt((interrupt) => {
    if (interrupt === "hang-up") {
      if (!isHungUp) onHangUp();
      isHungUp = true;
      return;
    }
    interrupts++;
    if (interrupts <= 2) onEnd(interrupts === 2);
    if (interrupts < 2) return;
    lastResort ??= setTimeout(() => process.exit(exitCodes.cancelled), patienceAfterKillMs);
    kill();
  });
  return () => {
    stopListening();
    clearTimeout(lastResort);
  };
}
