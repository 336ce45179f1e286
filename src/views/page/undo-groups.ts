import type { PageUndo, PageUndoChoice, PageUndoFile, PageUndoGroup } from "./act-records.ts";
import { countOf } from "./say-words.ts";

type Foreseen = Omit<PageUndo, "groups" | "says" | "left" | "choices" | "about" | "touched">;

/** What an undo would do, by what becomes of it, and in a sentence. What was changed since depends on what somebody chooses: the page tells it. */
export function groupUndo(undo: Foreseen): PageUndo {
  const { irreversible = [], not_captured: uncaught = [], compensations = [], moves = [], refs = [] } = undo;
  const files = undo.files.map((file) => ({ ...file, ...groupOf(file), ...noteOf(file), ...becomesOf(file) }));
  const lost = [
    ...irreversible.map(({ block, why }) => ({ what: block, why })),
    ...uncaught.map(({ path, why }) => ({ what: path, why })),
    ...files
      .filter(({ found }) => found === "not-kept")
      .map(({ path }) => ({ what: path, why: "what it held was not kept" })),
  ];
  const group = (name: string, rows: PageUndoGroup["rows"] = [], count = rows.length): PageUndoGroup => {
    const own = files.filter((file) => file.group === name).length;
    return { name, count: own + count, rows };
  };
  const touching = [
    ...[...files, ...moves, ...refs].flatMap(({ by }) => by),
    ...[...irreversible, ...compensations].map(({ block }) => block),
  ];
  return {
    ...undo,
    files,
    groups: [
      group(restored),
      group(removed),
      group(
        "Moved back",
        moves.map(({ from, to, by }) => ({ what: to, why: `from ${from}`, by: by.join(", ") })),
      ),
      group(
        "Git refs put back",
        refs.map(({ name, by }) => ({ what: name, why: "", by: by.join(", ") })),
      ),
      group(
        "Undone by a block of their own",
        compensations.map(({ block, type, text }) => ({ what: block, why: text, by: type, is_text: true })),
      ),
      group("Can't be undone", groupLost(lost), lost.length),
      group(already),
    ].filter(({ count }) => count > 0),
    says: sayUndo(undo),
    left: lost.length === 0 ? "" : `${countOf(lost.length, "effect")} can't be undone.`,
    choices,
    about,
    touched: [...new Set(touching.map(firstStep))],
  };
}

const choices: readonly PageUndoChoice[] = [
  {
    choice: "keep",
    label: "Keep",
    becomes: ["stays as it is", "stay as they are"],
    explains: "It was changed since the run, so nothing happens to it. Below is what Restore would do.",
  },
  {
    choice: "merge",
    label: "Merge",
    becomes: ["is merged, if other lines were changed", "are merged, where other lines were changed"],
    explains:
      "It was changed since the run. What the run changed is taken out, and what was changed since stays, if these are other lines; else the file stays as it is. Below is what Restore would do.",
  },
  {
    choice: "force",
    label: "Restore",
    becomes: ["loses what was changed since", "lose what was changed since"],
    explains: "It was changed since the run. Restoring it takes that out, too: below is all that changes.",
  },
];

const about =
  "Undo is a run of its own, started by web page: it shows up in the list and can be undone as well. A file that is changed while you read this is treated as changed since.";

const restored = "Restored";
const removed = "Removed again, as the run made them";
const already = "As before already";

function groupOf({ found, undo }: PageUndoFile): Pick<PageUndoFile, "group"> {
  if (found === "already") return { group: already };
  if (found !== "restorable") return {};
  return { group: undo === "removed" ? removed : restored };
}

function noteOf({ diff, kind, undo, found, from }: PageUndoFile): Pick<PageUndoFile, "note"> {
  if (diff !== undefined) return {};
  if (from !== undefined) return { note: `It is moved back from ${from}.` };
  if (kind === "directory")
    return { note: undo === "removed" ? "The directory is removed, if it is empty." : "A directory." };
  if (kind === "link") return { note: "A symbolic link." };
  if (found === "already") return { note: "There is nothing to do." };
  if (found === "not-kept") return { note: "What it held was not kept." };
  return { note: "Its contents can't be shown: it is no text, is large, or was not kept." };
}

function becomesOf({ found, undo }: PageUndoFile): Pick<PageUndoFile, "becomes"> {
  if (found === "conflict") return {};
  return { becomes: { already: "is as before already", "not-kept": "can't be restored", restorable: undo }[found] };
}

const mostNames = 12;

/** Those that are lost for the same reason, together: the fewest first, which tell most. */
export function groupLost(lost: readonly { readonly what: string; readonly why: string }[]): PageUndoGroup["rows"] {
  const byReason = new Map<string, string[]>();
  for (const { what, why } of lost) byReason.set(why, [...(byReason.get(why) ?? []), what]);
  return [...byReason]
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([why, all]) => {
      const more = all.length - mostNames;
      return { what: `${all.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`, why, by: "" };
    });
}

/** The block of the run itself that something lies in, whichever attempt of it. */
function firstStep(address: string): string {
  return (address.split("/")[0] ?? "").split("@")[0] ?? "";
}

/** What it will do with what nobody has changed since. */
function sayUndo({ nothing, files, compensations = [], moves = [], refs = [] }: Foreseen): string {
  if (nothing !== undefined) return `There is nothing to undo: ${nothing}.`;
  const restorable = files.filter(({ found }) => found === "restorable");
  const gone = restorable.filter(({ undo }) => undo === "removed");
  const back = restorable.filter(({ undo }) => undo !== "removed");
  const parts = [
    ...(back.length === 0 ? [] : [`${countEntries(back)} ${goes(back.length)} back to how ${theyWere(back.length)}`]),
    ...(gone.length === 0 ? [] : [`${countEntries(gone, "new ")} ${gone.length === 1 ? "is" : "are"} removed`]),
    ...(moves.length === 0
      ? []
      : [
          `${countOf(moves.length, "directory", "directories")} ${goes(moves.length)} back to where ${theyWere(moves.length)}`,
        ]),
    ...(refs.length === 0 ? [] : [`${countOf(refs.length, "git ref")} ${goes(refs.length)} back`]),
    ...(compensations.length === 0
      ? []
      : [
          `${countOf(compensations.length, "block")} ${compensations.length === 1 ? "undoes itself" : "undo themselves"}`,
        ]),
  ];
  return parts.length === 0 ? "" : `${parts.join(", ")}.`;
}

function goes(count: number): string {
  return count === 1 ? "goes" : "go";
}

function theyWere(count: number): string {
  return count === 1 ? "it was" : "they were";
}

/** `3 files and 1 directory`. */
function countEntries(entries: readonly PageUndoFile[], before = ""): string {
  const directories = entries.filter(({ kind }) => kind === "directory").length;
  const files = entries.length - directories;
  return [
    ...(files > 0 ? [countOf(files, `${before}file`)] : []),
    ...(directories > 0 ? [countOf(directories, `${before}directory`, `${before}directories`)] : []),
  ].join(" and ");
}
