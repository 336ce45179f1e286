import type { JSX, RefObject } from "preact";
import { useId } from "preact/hooks";
import "./find.css";

interface FindProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly value?: string;
  /** What can be found, where that is known. */
  readonly options?: readonly string[];
  /** Told at every change. */
  change?(text: string): void;
  /** Told when the reader has typed what they look for. */
  enter?(text: string): void;
}

/** A field to find something with; the key `/` leads there. */
export function Find({ field, label, value, options = [], change, enter }: FindProps): JSX.Element {
  const id = useId();
  return (
    <search class="find">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          enter?.(field.current?.value ?? "");
          field.current?.blur();
        }}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <circle cx="5" cy="5" r="3.4" />
          <path d="M7.6 7.6 11 11" />
        </svg>
        <input
          ref={field}
          type="search"
          aria-label={label}
          placeholder={label}
          list={options.length === 0 ? undefined : id}
          {...(value === undefined ? {} : { value })}
          onInput={(event) => change?.(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            event.currentTarget.blur();
          }}
        />
        <kbd>/</kbd>
        {options.length > 0 && (
          <datalist id={id}>
            {options.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        )}
      </form>
    </search>
  );
}
