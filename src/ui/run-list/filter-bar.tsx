import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { Find } from "../look/find.tsx";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import type { Place } from "../place.ts";
import { useKeys } from "../shell/keys.ts";
import { chips, type Filters, sinceLabels } from "./filters.ts";
import type { Runs } from "./load-runs.ts";

/** What is shown of the list. Every filter is in the address. */
export function FilterBar({ filters, runs }: { readonly filters: Filters; readonly runs: Runs }): JSX.Element {
  const { go } = useApp();
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    "/": (event) => {
      event.preventDefault();
      field.current?.focus();
    },
  });
  const change = (changed: Readonly<Record<string, string>>): void =>
    go({ view: "runs", query: withFilters(filters, changed) }, "replace");
  return (
    <div class="filter-bar">
      <Chips filters={filters} runs={runs} />
      <Choice
        {...{ label: "Workflow", none: "any", chosen: filters.workflow, of: runs.workflows }}
        choose={(workflow) => change({ workflow })}
      />
      <Choice
        {...{ label: "Started by", none: "anyone", chosen: filters.started_by, of: runs.starters }}
        choose={(starter) => change({ started_by: starter })}
      />
      <Choice
        {...{ label: "Since", none: "ever", chosen: filters.since, of: Object.keys(sinceLabels) }}
        words={sinceLabels}
        choose={(since) => change({ since })}
      />
      <Find field={field} label="Find in runs" value={filters.text ?? ""} change={(text) => change({ text })} />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** What stands there while nothing is chosen. */
  readonly none: string;
  readonly chosen: string | undefined;
  readonly of: readonly string[];
  readonly words?: Readonly<Record<string, string>>;
  choose(value: string): void;
}

function Choice({ label, none, chosen = "", of, words, choose }: ChoiceProps): JSX.Element {
  const values = chosen === "" || of.includes(chosen) ? of : [...of, chosen];
  return (
    <label>
      {label}
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{none}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {words?.[value] ?? value}
          </option>
        ))}
      </select>
    </label>
  );
}

function Chips({ filters, runs }: { readonly filters: Filters; readonly runs: Runs }): JSX.Element {
  const all = Object.values(runs.counts).reduce((sum, count) => sum + count, 0);
  return (
    <ul class="filter-chips" aria-label="Runs by state">
      <li>
        <Link to={placeWith(filters, "")} {...currentIf(filters.status === undefined)}>
          <b class="times">{all.toLocaleString("en-GB")}</b> All
        </Link>
      </li>
      {chips.map(({ name, standings: [first, ...others] }) => {
        if (first === undefined) return null;
        const status = [first, ...others].join();
        const count = [first, ...others].reduce((sum, standing) => sum + (runs.counts[standing] ?? 0), 0);
        if (count === 0 && filters.status !== status) return null;
        return (
          <li key={name}>
            <Link to={placeWith(filters, status)} {...currentIf(filters.status === status)}>
              <Glyph standing={first} isSilent /> <b class="times">{count.toLocaleString("en-GB")}</b> {name}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function currentIf(isCurrent: boolean): { "aria-current"?: "true" } {
  return isCurrent ? { "aria-current": "true" } : {};
}

function placeWith(filters: Filters, status: string): Place {
  return { view: "runs", query: withFilters(filters, { status }) };
}

/** A filter that is empty is none. */
function withFilters(filters: Filters, changed: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== ""));
}
