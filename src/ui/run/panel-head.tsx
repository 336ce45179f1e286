import type { JSX } from "preact";
import type { BlockDetail } from "../../views/page/detail-records.ts";
import type { BlockCard, EdgeDecision, RunHead } from "../../views/page/page-records.ts";
import { useNow } from "../app-context.ts";
import { formatDuration } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import { Sentence } from "../look/sentence.tsx";
import { standingWords } from "../look/standing.ts";
import { placeOfBlock } from "../place.ts";
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
        <button type="button" class="plain panel-close" aria-label="Close" title="Close (Esc)" onClick={close}>
          ×
        </button>
      </div>
      <p class="panel-sentence">
        <strong>{first === "" ? standingWords[standing] : <Sentence text={first} runId={runId} />}</strong>{" "}
        <Sentence text={rest} runId={runId} />
      </p>
      <dl class="panel-why">
        {detail !== undefined && detail.ran_because.length > 0 && (
          <>
            <dt>{becauseWords(standing)}</dt>
            <dd>
              <Because because={detail.ran_because} runId={runId} />
            </dd>
          </>
        )}
        {detail !== undefined && detail.holds_up.length > 0 && (
          <>
            <dt>Holds up</dt>
            <dd>
              <Blocks addresses={detail.holds_up} runId={runId} />
            </dd>
          </>
        )}
        {card?.element !== undefined && (
          <>
            <dt>Element</dt>
            <dd>
              <code>{card.element}</code>
            </dd>
          </>
        )}
        {card?.condition !== undefined && (
          <>
            <dt>Condition</dt>
            <dd>
              <code>{card.condition}</code>
            </dd>
          </>
        )}
      </dl>
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
  const since = card.running_since === undefined ? 0 : Math.max(0, now - Date.parse(card.running_since));
  const took = card.duration_ms + since;
  return took === 0 && card.started_at === null ? null : (
    <span class="panel-took faint times">{formatDuration(took)}</span>
  );
}

function becauseWords(standing: BlockCard["standing"]): string {
  if (standing === "to_come") return "Waits for";
  return standing === "skipped" ? "Depends on" : "Ran because";
}

const decisionWords: Readonly<Record<EdgeDecision, string>> = {
  went: "succeeded",
  failed: "failed",
  open: "still open",
  not_taken: "did not lead here",
};

interface BecauseProps {
  readonly because: BlockDetail["ran_because"];
  readonly runId: string;
}

/** Blocks that decided the same stand together: "build and changelog succeeded, lint failed". */
function Because({ because, runId }: BecauseProps): JSX.Element {
  const decisions = [...new Set(because.map(({ decided }) => decided))];
  return (
    <>
      {decisions.map((decision, index) => (
        <span key={decision}>
          {index > 0 && ", "}
          <Blocks
            addresses={because.filter(({ decided }) => decided === decision).map(({ address }) => address)}
            runId={runId}
          />{" "}
          {decisionWords[decision]}
        </span>
      ))}
    </>
  );
}

const mostNamed = 5;

function Blocks({ addresses, runId }: { readonly addresses: readonly string[]; readonly runId: string }): JSX.Element {
  const named = addresses.slice(0, mostNamed);
  const left = addresses.length - named.length;
  return (
    <>
      {named.map((address, index) => (
        <span key={address}>
          {index > 0 && (index === named.length - 1 && left === 0 ? " and " : ", ")}
          <Link to={placeOfBlock(runId, address)} class="address">
            {address.split("/").at(-1)}
          </Link>
        </span>
      ))}
      {left > 0 && ` and ${left} more`}
    </>
  );
}
