import { Fragment, type JSX } from "preact";
import type { BlockDetail, PanelRow } from "../../views/page/detail-records.ts";
import type { BlockCard, RunHead } from "../../views/page/page-records.ts";
import { useNow } from "../app-context.ts";
import { formatDuration } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Sentence } from "../look/sentence.tsx";
import { SignButton } from "../look/sign-button.tsx";
import { standingWords } from "../look/standing.ts";
import { durationOf } from "./graph/block-words.ts";
import { PanelRerun } from "./panel-rerun.tsx";
import { splitSentence } from "./split-sentence.ts";

interface HeadProps {
  readonly head: RunHead;
  readonly address: string;
  readonly card: BlockCard | undefined;
  readonly detail: BlockDetail | undefined;
  close(): void;
}

/** What it is, what happened and why. */
export function PanelHead({ head, address, card, detail, close }: HeadProps): JSX.Element {
  const { run_id: runId } = head;
  const standing = card?.standing ?? "to_come";
  const sentence = detail?.sentence ?? card?.message ?? "";
  const [first, rest] = splitSentence(sentence);
  return (
    <header class="panel-head">
      <div class="panel-title">
        <Glyph standing={standing} size={16} attempt={card?.attempt ?? 1} />
        <div class="panel-name">
          <h2>
            <Name address={address} name={card?.name} />
          </h2>
          {card !== undefined && <span class="panel-type">{card.type}</span>}
          {card !== undefined && <Took card={card} />}
        </div>
        {card !== undefined && card.standing !== "to_come" && <PanelRerun head={head} address={address} />}
        <SignButton label="Close" class="panel-close" onClick={close}>
          ×
        </SignButton>
      </div>
      <p class="panel-sentence">
        <strong>{first === "" ? standingWords[standing] : <Sentence text={first} runId={runId} />}</strong>{" "}
        <Sentence text={rest} runId={runId} />
      </p>
      {detail !== undefined && (
        <dl class="panel-why">
          <PanelRows rows={detail.facts} runId={runId} />
        </dl>
      )}
    </header>
  );
}

/** A pass has the number of its own, and the name of its loop before it. */
function Name({
  address,
  name,
}: {
  readonly address: string;
  readonly name: string | undefined;
}): JSX.Element | string {
  const steps = address.split("/");
  const own = name ?? steps.at(-1) ?? address;
  const around = /^\d+(@\d+)?$/.test(own) ? steps.at(-2) : undefined;
  if (around === undefined) return own;
  return (
    <>
      <span class="panel-around">{around} /</span> {own}
    </>
  );
}

function Took({ card }: { readonly card: BlockCard }): JSX.Element | null {
  const now = useNow(card.running_since !== undefined);
  const took = durationOf(card, now);
  return took === 0 && card.started_at === null ? null : (
    <span class="panel-took faint times">{formatDuration(took)}</span>
  );
}

/** What is to be known, a row for each. */
export function PanelRows({
  rows,
  runId,
}: {
  readonly rows: readonly PanelRow[];
  readonly runId: string;
}): JSX.Element {
  return (
    <>
      {rows.map(({ name, text, is_code }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{is_code ? <code>{text}</code> : <Sentence text={text} runId={runId} />}</dd>
        </Fragment>
      ))}
    </>
  );
}
