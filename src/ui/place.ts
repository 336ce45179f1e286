/**
 * What the page shows, as the address bar says it. The address of a block stands in the path: `/runs/RUN/deploy/build`. What is inside it is
 * looked at when it ends with a slash: `/runs/RUN/deploy/`; without, the block itself, in the level around it.
 */
export type Place =
  | { readonly view: "runs"; readonly query: Readonly<Record<string, string>> }
  | RunPlace
  | { readonly view: "undo"; readonly runId: string; readonly query: Readonly<Record<string, string>> }
  | { readonly view: "workflows"; readonly query: Readonly<Record<string, string>> }
  | { readonly view: "workflow"; readonly name: string; readonly query: Readonly<Record<string, string>> }
  | { readonly view: "scratch" };

export interface RunPlace {
  readonly view: "run";
  readonly runId: string;
  /** Address of what is stepped into; empty for the run itself. */
  readonly level: string;
  /** Address of the block in it that is selected. */
  readonly block?: string;
  readonly attempt?: number;
  /** The part of the block that is meant: `log`, `changes`, `inputs`. */
  readonly part?: string;
}

export function parsePlace(url: URL): Place {
  const query = Object.fromEntries(url.searchParams);
  const [, first = "", second = "", ...rest] = url.pathname.split("/").map(decode);
  if (first === "workflows")
    return second === ""
      ? { view: "workflows", query }
      : { view: "workflow", name: [second, ...rest].join("/"), query };
  if (first === "scratch") return { view: "scratch" };
  if (first === "undo" && second !== "") return { view: "undo", runId: second, query };
  if (first !== "runs" || second === "") return { view: "runs", query };
  return parseRunPlace(second, rest, url);
}

function parseRunPlace(runId: string, rest: readonly string[], { searchParams, hash }: URL): RunPlace {
  const isInside = rest.length === 0 || rest.at(-1) === "";
  const steps = rest.filter((step) => step !== "");
  const level = (isInside ? steps : steps.slice(0, -1)).join("/");
  const attempt = Number(searchParams.get("attempt") ?? "");
  return {
    view: "run",
    runId,
    level,
    ...(isInside ? {} : { block: steps.join("/") }),
    ...(attempt > 0 ? { attempt } : {}),
    ...(hash.length > 1 ? { part: decode(hash.slice(1)) } : {}),
  };
}

/** Where the page is a file, its address can't change but behind `#`. */
let isFile = false;

export function keepPlacesBehindHash(): void {
  isFile = true;
}

/** The address that a place is read from. */
export function currentAddress(): URL {
  return isFile ? new URL(location.hash.slice(1), "file:///") : new URL(location.href);
}

/** What a link to a place says. */
export function pathTo(place: Place): string {
  return isFile ? `#${pathOf(place)}` : pathOf(place);
}

/** The path that leads to a place. */
function pathOf(place: Place): string {
  switch (place.view) {
    case "runs":
      return `/${queryOf(place.query)}`;
    case "undo":
      return `/undo/${encodeURIComponent(place.runId)}${queryOf(place.query)}`;
    case "workflows":
      return `/workflows${queryOf(place.query)}`;
    case "workflow":
      return `/workflows/${place.name.split("/").map(encodeURIComponent).join("/")}${queryOf(place.query)}`;
    case "scratch":
      return "/scratch";
    case "run": {
      const { runId, level, block, attempt, part } = place;
      const address = block ?? (level === "" ? "" : `${level}/`);
      const path = address
        .split("/")
        .map((step) => encodeURIComponent(step).replaceAll("%40", "@"))
        .join("/");
      const asked = attempt === undefined ? "" : `?attempt=${attempt}`;
      return `/runs/${encodeURIComponent(runId)}${path === "" ? "" : `/${path}`}${asked}${part === undefined ? "" : `#${encodeURIComponent(part)}`}`;
    }
  }
}

/** What somebody has typed may mean nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function queryOf(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
}

/** A block, selected in the level around it. */
export function placeOfBlock(runId: string, address: string): RunPlace {
  const level = address.split("/").slice(0, -1).join("/");
  return { view: "run", runId, level, ...(address === "" ? {} : { block: address }) };
}
