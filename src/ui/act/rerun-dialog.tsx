import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { RerunForecast } from "../../views/page/act-records.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../look/dialog.tsx";
import { plural } from "../look/format.ts";
import { RadioList } from "../look/one-of.tsx";
import { type FieldProblems, Fields, type FieldValues, fillFields, readFields } from "./fields.tsx";
import { Refusal } from "./refusal.tsx";
import { RerunPlan } from "./rerun-plan.tsx";
import { useAct } from "./use-act.ts";
import { useRecord } from "./use-record.ts";

interface RerunDialogProps {
  readonly runId: string;
  /** Address of the block that it begins with. */
  readonly from?: string;
  close(): void;
}

/** Shows what is reused and what runs before it runs. */
export function RerunDialog({ runId, from: given, close }: RerunDialogProps): JSX.Element {
  const { source, go, announce } = useApp();
  const [scope, setScope] = useState<"changed" | "from" | "all">(given === undefined ? "changed" : "from");
  const [from, setFrom] = useState(given ?? "");
  const [entered, setEntered] = useState<FieldValues>();
  const [inputs, setInputs] = useState<Readonly<Record<string, unknown>>>({});
  const [problems, setProblems] = useState<FieldProblems>({});
  const [missing, setMissing] = useState("");
  const path = `/runs/${encodeURIComponent(runId)}/rerun`;
  const start = scope === "from" && from !== "" ? from : undefined;
  const asked = useRecord<RerunForecast>(path, {
    from: start,
    all: scope === "all" ? "true" : undefined,
    inputs: JSON.stringify(inputs),
  });
  const { isBusy, problem, act } = useAct();
  const { record } = asked;
  const fields = record?.fields ?? [];
  const values = entered ?? fillFields(fields);
  /** Those that are others than before. */
  const takeInputs = (): Readonly<Record<string, unknown>> | undefined => {
    if (entered === undefined) return inputs;
    const read = readFields(fields, entered);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return undefined;
    const all = Object.entries(read.value as Record<string, unknown>);
    const first = new Map(fields.map((field) => [field.name, JSON.stringify(field.default)]));
    const changed = {
      ...inputs,
      ...Object.fromEntries(all.filter(([name, value]) => first.get(name) !== JSON.stringify(value))),
    };
    setInputs(changed);
    return changed;
  };
  const rerun = (): void => {
    const changed = takeInputs();
    setMissing(scope === "from" && from === "" ? "Choose the block to begin with." : "");
    if (changed === undefined || (scope === "from" && from === "")) return;
    act(async () => {
      const body = { inputs: changed, all: scope === "all", ...(start === undefined ? {} : { from: start }) };
      const made = await source.post<{ readonly run_id: string }>(path, body);
      announce("A rerun was started by web page.");
      close();
      go({ view: "run", runId: made.run_id, level: "" });
    });
  };
  return (
    <Dialog
      title={record === undefined ? "Rerun" : `Rerun ${record.workflow}`}
      close={close}
      action={
        asked.problem === undefined && (
          <button type="button" class="primary" onClick={rerun}>
            {isBusy ? "Starting..." : record === undefined ? "Rerun" : `Rerun ${plural(record.runs, "block")}`}
          </button>
        )
      }
    >
      <RadioList options={record?.scopes ?? []} chosen={scope} choose={setScope} />
      {scope === "from" && (
        <p>
          <select aria-label="Block" value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            <option value="">Choose a block...</option>
            {[...new Set([...(given === undefined ? [] : [given]), ...blockNames(record)])].map((address) => (
              <option key={address} value={address}>
                {address}
              </option>
            ))}
          </select>{" "}
          <span class="problem" aria-live="polite">
            {from === "" && missing}
          </span>
        </p>
      )}
      {fields.length > 0 && (
        <details onFocusOut={() => takeInputs()}>
          <summary>Inputs{Object.keys(inputs).length > 0 && `, ${Object.keys(inputs).length} changed`}</summary>
          <Fields fields={fields} values={values} problems={problems} change={setEntered} />
        </details>
      )}
      {record !== undefined && <RerunPlan forecast={record} />}
      {asked.isLoading && record === undefined && <p class="faint">Looking what would run...</p>}
      <p class="faint">{record?.about}</p>
      <Refusal problem={problem ?? asked.problem} />
    </Dialog>
  );
}

function blockNames(record: RerunForecast | undefined): readonly string[] {
  return (record?.blocks ?? []).map(({ address }) => address);
}
