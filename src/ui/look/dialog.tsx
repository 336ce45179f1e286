import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import "./dialog.css";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button says that closes it. */
  readonly leave?: string;
  /** The button that acts. */
  readonly action?: ComponentChildren;
  close(): void;
}

/** Something that is asked before it is done. Escape closes it; the focus goes back to where it was. */
export function Dialog({ title, children, leave = "Close", action, close }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-label={title} onClose={close}>
      <h2>{title}</h2>
      <div class="dialog-body">{children}</div>
      <footer>
        <button type="button" onClick={close}>
          {leave}
        </button>
        {action}
      </footer>
    </dialog>
  );
}
