import type { JSX } from "preact";
import "./outputs.css";

/** What a run gave. */
export function Outputs({ outputs }: { readonly outputs: Readonly<Record<string, unknown>> }): JSX.Element | null {
  const entries = Object.entries(outputs);
  if (entries.length === 0) return null;
  return (
    <section class="outputs" aria-labelledby="outputs">
      <h2 id="outputs">Outputs of the run</h2>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
