import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { Link } from "../look/link.tsx";
import type { Place } from "../place.ts";
import { useKeys } from "./keys.ts";
import { KeysHelp } from "./keys-help.tsx";
import { ThemeButton } from "./theme.tsx";
import "./header.css";

/** A step of the way to what is shown; the last is where the reader is. */
export interface Step {
  readonly name: string;
  readonly to: Place;
}

interface HeaderProps {
  /** From below Runs or Workflows; empty on these two. */
  readonly trail?: readonly Step[];
  /** What the view puts beside it: a field to find something. */
  readonly children?: ComponentChildren;
}

const runs: Place = { view: "runs", query: {} };
const workflows: Place = { view: "workflows", query: {} };

/** The top line of every view. */
export function Header({ trail = [], children }: HeaderProps): JSX.Element {
  const { go, place, source } = useApp();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys({
    "?": () => setHelpOpen(true),
    "g r": () => go(runs),
    "g w": () => go(workflows),
  });
  const isOfWorkflows = ["workflows", "workflow", "scratch"].includes(place.view);
  const [home, other] = isOfWorkflows ? [workflows, runs] : [runs, workflows];
  const names = { runs: "Runs", workflows: "Workflows" };
  return (
    <header class="header">
      <button type="button" class="header-skip" onClick={skipToMain}>
        Skip to the content
      </button>
      {source.isLive ? (
        <Link to={runs} class="header-brand">
          <Mark /> Frond
        </Link>
      ) : (
        <span class="header-brand">
          <Mark /> Frond
        </span>
      )}
      <nav aria-label="Where you are">
        <ol class="header-trail">
          {(source.isLive ? (trail.length === 0 ? [runs, workflows] : [home]) : []).map((to) => (
            <li key={to.view}>
              <Link to={to} {...(to.view === place.view ? { "aria-current": "page" as const } : {})}>
                {names[to.view as keyof typeof names]}
              </Link>
            </li>
          ))}
          {trail.map((step, index) => (
            <li key={index} class="header-step">
              <Link to={step.to} {...(index === trail.length - 1 ? { "aria-current": "page" as const } : {})}>
                {step.name}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <span class="header-gap" />
      {children}
      {trail.length > 0 && source.isLive && (
        <Link to={other} class="header-other">
          {names[other.view as keyof typeof names]}
        </Link>
      )}
      {source.isLive && <Live />}
      <button type="button" class="plain header-keys" onClick={() => setHelpOpen(true)}>
        Keys <kbd>?</kbd>
      </button>
      <ThemeButton />
      {isHelpOpen && <KeysHelp close={() => setHelpOpen(false)} />}
    </header>
  );
}

function Live(): JSX.Element {
  const { isConnected } = useApp();
  return (
    <span class={isConnected ? "header-live" : "header-live is-lost"} role="status">
      {isConnected ? "Live" : "Not connected"}
    </span>
  );
}

/** The focus goes along with the eye, and the address stays as it is. */
function skipToMain(): void {
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}

/** A frond: a stem with three pairs of leaves that grow smaller. */
function Mark(): JSX.Element {
  return (
    <svg class="header-mark" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 15V2.5" />
      <path
        class="leaf"
        d="M8 14q.6-3.9 5.6-3.9-.6 3.9-5.6 3.9-5 0-5.6-3.9 5 0 5.6 3.9zM8 9.6q.4-3.2 4.4-3.2-.4 3.2-4.4 3.2-4 0-4.4-3.2 4 0 4.4 3.2zM8 5.8q-1.8-2.5 0-5 1.8 2.5 0 5z"
      />
    </svg>
  );
}
