import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import "./choice-list.css";

interface OneOfProps<Value extends string> {
  /** Each with what its button says. */
  readonly options: readonly (readonly [Value, ComponentChildren])[];
  readonly chosen: NoInfer<Value> | undefined;
  choose(value: NoInfer<Value>): void;
}

/** Buttons side by side, of which one is pressed. */
export function OneOf<Value extends string>({ options, chosen, choose }: OneOfProps<Value>): JSX.Element {
  return (
    <>
      {options.map(([value, says]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {says}
        </button>
      ))}
    </>
  );
}

/** The same as a list to read and choose from. */
export function RadioList<Value extends string>({ options, chosen, choose }: OneOfProps<Value>): JSX.Element {
  const name = useId();
  return (
    <ul class="choice-list">
      {options.map(([value, says]) => (
        <li key={value}>
          <label>
            <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} /> {says}
          </label>
        </li>
      ))}
    </ul>
  );
}
