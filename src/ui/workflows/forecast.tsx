import type { JSX } from "preact";
import { Dialog } from "../look/dialog.tsx";
import { Diff } from "../look/diff.tsx";

/** What a run would do, as `POST /api/runs` with `dry_run` tells it: as far as it is shown. */
export interface Forecast {
  readonly status: "dry_run";
  readonly says: string;
  readonly blocks: readonly { readonly block: string; readonly verdict: string; readonly why?: string }[];
  readonly files?: readonly {
    readonly path: string;
    readonly change: string;
    readonly diff?: string;
    readonly only_if?: string;
  }[];
  readonly remarks?: readonly string[];
}

const mostBlocks = 200;

/** What would run, be skipped and fail, and how files would change. Nothing of it has happened. */
export function ForecastView({ forecast, close }: { readonly forecast: Forecast; close(): void }): JSX.Element {
  const { says, blocks, files = [], remarks = [] } = forecast;
  return (
    <Dialog title="What it would do" close={close}>
      <div class="forecast">
        {/* The first thing to read, and not the button below all of it. */}
        <p tabIndex={-1} autofocus>
          {says}
        </p>
        {remarks.map((remark) => (
          <p key={remark} class="faint">
            {remark}
          </p>
        ))}
        {files.map(({ path, change, diff, only_if: onlyIf }) => (
          <section key={`${path} ${onlyIf ?? ""}`}>
            <h3>
              <code>{path}</code> {change}
              {onlyIf !== undefined && <span class="faint"> only if {onlyIf} runs</span>}
            </h3>
            {diff !== undefined && <Diff text={diff} label={`How ${path} would change`} />}
          </section>
        ))}
        <ul>
          {blocks.slice(0, mostBlocks).map(({ block, verdict, why }) => (
            <li key={block}>
              <span>{block}</span>
              <span class={verdict.replaceAll(" ", "-")}>{verdict}</span>
              {why !== undefined && <span class="faint">{why}</span>}
            </li>
          ))}
        </ul>
        {blocks.length > mostBlocks && <p class="faint">And {blocks.length - mostBlocks} more.</p>}
      </div>
    </Dialog>
  );
}
