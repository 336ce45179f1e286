import type { JSX } from "preact";
import type { AttemptLine } from "../../views/page/detail-records.ts";
import { formatDuration } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";

interface AttemptsProps {
  readonly attempts: readonly AttemptLine[];
  readonly attempt: number | undefined;
  choose(attempt: number | undefined): void;
}

/** One button for each attempt; keys 1 to 9 choose, too. */
export function PanelAttempts({ attempts, attempt, choose }: AttemptsProps): JSX.Element | null {
  const latest = attempts.at(-1);
  if (attempts.length < 2 || latest === undefined) return null;
  const chosen = attempt ?? latest.attempt;
  return (
    <nav class="panel-attempts" aria-label="Attempts">
      {attempts.map(({ attempt: one, standing, duration_ms, message }) => (
        <button
          key={one}
          type="button"
          class="plain small"
          aria-pressed={one === chosen}
          title={message}
          onClick={() => choose(one === latest.attempt ? undefined : one)}
        >
          {/* One that was tried again no longer counts. */}
          <Glyph standing={standing === "failed" && one !== latest.attempt ? "handled" : standing} attempt={one} />
          Attempt {one}
          {duration_ms !== null && <span class="faint times">{formatDuration(duration_ms)}</span>}
        </button>
      ))}
    </nav>
  );
}
