export interface ServerEvent {
  /** Empty for one that has no name. */
  readonly name: string;
  readonly data: string;
}

/** Server-sent events in bytes that come one after another, cut anywhere: in a character, a line or an event. */
export class EventStream {
  readonly #decoder = new TextDecoder();
  #line = "";
  #endedWithReturn = false;
  #name = "";
  #data: string[] = [];

  /** The events that end in this piece. One that never ends is not an event. */
  push(chunk: Uint8Array): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    for (const line of this.#endedLines(this.#decoder.decode(chunk, { stream: true }))) {
      const event = this.#take(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** A line ends with a return, a line feed or both, and both may come in two pieces. */
  #endedLines(text: string): string[] {
    if (text === "") return [];
    const rest = this.#endedWithReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedWithReturn = text.endsWith("\r");
    const [first = "", ...others] = rest.split(/\r\n|\r|\n/);
    const lines = [this.#line + first, ...others];
    this.#line = lines.pop() ?? "";
    return lines;
  }

  #take(line: string): ServerEvent | undefined {
    if (line === "") return this.#end();
    const [field, value] = splitField(line);
    if (field === "event") this.#name = value;
    else if (field === "data") this.#data.push(value);
    return undefined;
  }

  #end(): ServerEvent | undefined {
    const event = { name: this.#name, data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#name = "";
    this.#data = [];
    return isEmpty ? undefined : event;
  }
}

/** What begins with a colon is a comment: its field has no name. */
function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
