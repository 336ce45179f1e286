import type { JSX } from "preact";
import { useState } from "preact/hooks";
import "./copy.css";

/** A text as it is to be typed, and a button that copies it. */
export function Copy({ text, label = "Copy" }: { readonly text: string; readonly label?: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <span class="copy">
      <code>{text}</code>
      <button
        type="button"
        class="plain"
        aria-label={label}
        title={label}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        {isCopied ? (
          "Copied"
        ) : (
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <rect x="4.7" y="4.7" width="7.6" height="7.6" rx="1.5" />
            <path d="M9.5 2H3.4A1.4 1.4 0 0 0 2 3.4v6.1" />
          </svg>
        )}
      </button>
    </span>
  );
}
