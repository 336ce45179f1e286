import type { JSX } from "preact";
import { marks } from "./marks.ts";
import "./starter.css";

/** Who started a run, as a sign beside the name: a person here, a command, a schedule, a program, or the client of a model. */
export function Starter({ name }: { readonly name: string }): JSX.Element {
  return (
    <svg class="starter" width="12" height="12" viewBox="0 0 14 14" aria-hidden="true">
      <path d={marks[kindOf(name)]} />
    </svg>
  );
}

function kindOf(name: string): keyof typeof marks {
  if (name === "web page") return "person";
  if (name === "terminal" || name === "command line") return "command";
  if (name.startsWith("schedule ")) return "time";
  return name === "http" || name === "github actions" ? "web" : name.startsWith("rollback of ") ? "other" : "model";
}
