import type { JSX } from "preact";
import type { BlockDetail, ValueLine } from "../../views/page/detail-records.ts";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import { isOver } from "../look/standing.ts";
import { Value } from "../look/value.tsx";

interface ValuesProps {
  readonly runId: string;
  readonly address: string;
  readonly attempt: number | undefined;
  readonly detail: BlockDetail;
}

/** What it was given, and what it gave. */
export function PanelValues({ runId, address, attempt, detail }: ValuesProps): JSX.Element {
  const { source } = useApp();
  const load = async (field: string): Promise<string> => {
    const path = `/runs/${encodeURIComponent(runId)}/value/${addressPath(address)}`;
    const { text } = await source.get<{ text: string }>(path, { field, attempt: attempt?.toString() });
    return text;
  };
  const { inputs, outputs } = detail;
  // The values of another block or attempt are not unfolded because those of this one were.
  const key = `${address} ${attempt ?? ""}`;
  return (
    <>
      <h3>Inputs {inputs.length === 0 && <span class="faint">none</span>}</h3>
      <Values key={`${key} in`} lines={inputs} load={(name) => load(`inputs.${name}`)} />
      <h3>Outputs {outputs.length === 0 && <span class="faint">{noOutputs(detail)}</span>}</h3>
      <Values key={`${key} out`} lines={outputs} load={(name) => load(`outputs.${name}`)} />
    </>
  );
}

function noOutputs({ card: { standing } }: BlockDetail): string {
  return isOver(standing) ? "none" : "when it ends";
}

interface LinesProps {
  readonly lines: readonly ValueLine[];
  load(name: string): Promise<string>;
}

function Values({ lines, load }: LinesProps): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <dl class="panel-values">
      {lines.map((line) => (
        <Value key={line.name} line={line} load={() => load(line.name)} />
      ))}
    </dl>
  );
}
