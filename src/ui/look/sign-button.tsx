import type { ComponentChildren, JSX } from "preact";

interface SignButtonProps {
  /** What it does, for those who hear the page or point at it. */
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  onClick(): void;
}

/** A button that shows a sign instead of words. */
export function SignButton({ label, class: more = "small", children, onClick }: SignButtonProps): JSX.Element {
  return (
    <button type="button" class={`plain ${more}`} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
