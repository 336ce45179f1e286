import type { JSX } from "preact";
import { Dialog } from "../look/dialog.tsx";
import { WithCode } from "./refusal.tsx";

interface RefusedProps {
  readonly what: string;
  readonly why: string;
  close(): void;
}

/** What can't be done says why. */
export function Refused({ what, why, close }: RefusedProps): JSX.Element {
  return (
    <Dialog title={`${what} can't be done now`} close={close}>
      <p>
        <WithCode text={why} />
      </p>
    </Dialog>
  );
}
