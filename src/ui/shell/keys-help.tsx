import type { JSX } from "preact";
import { Dialog } from "../look/dialog.tsx";
import { keyTable } from "./keys.ts";

export function KeysHelp({ close }: { close(): void }): JSX.Element {
  return (
    <Dialog title="Keys" close={close}>
      <dl class="keys">
        {keyTable.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">No single key cancels, undoes or approves.</p>
    </Dialog>
  );
}
