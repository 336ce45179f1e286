import { Component, type ComponentChildren, type JSX } from "preact";
import { Copy } from "../look/copy.tsx";
import type { Place } from "../place.ts";

interface BoundaryProps {
  readonly place: Place;
  readonly children: ComponentChildren;
}

/** Where a part of the page fails, the rest stays, and the command line still tells the same. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly error?: Error }> {
  static override getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate({ place }: BoundaryProps): void {
    if (place !== this.props.place && this.state.error !== undefined) this.setState({ error: undefined as never });
  }

  override render(): ComponentChildren {
    const { error } = this.state;
    return error === undefined ? (
      this.props.children
    ) : (
      <PageError error={error} command={commandFor(this.props.place)} />
    );
  }
}

function PageError({ error, command }: { readonly error: Error; readonly command: string }): JSX.Element {
  return (
    <main id="main" class="notice">
      <h1>The page can't show this</h1>
      <p>It failed with: {error.message}</p>
      <p>The run itself is not touched by that. The same on the command line:</p>
      <p>
        <Copy text={command} />
      </p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          Load again
        </button>
      </p>
      <details>
        <summary>Details for a report</summary>
        <pre>{error.stack}</pre>
      </details>
    </main>
  );
}

/** What tells the same in a terminal. */
function commandFor(place: Place): string {
  switch (place.view) {
    case "run":
    case "undo":
      return `frond show ${place.runId}`;
    case "workflow":
      return `frond info ${place.name}`;
    case "workflows":
    case "scratch":
      return "frond list";
    case "runs":
      return "frond runs";
  }
}
