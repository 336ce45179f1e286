/** Small writes one by one take longer than everything else; above a tree each of them draws it again. */
const largestBatch = 64 * 1024;

/** Whole lines on their way out, many at a time and a moment late. */
export class LineBatch {
  readonly #write: (text: string) => void;
  readonly #delayMs: number;
  #text = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (text: string) => void, delayMs: number) {
    this.#write = write;
    this.#delayMs = delayMs;
  }

  /** Lines with their ends. */
  add(text: string): void {
    if (text === "") return;
    this.#text += text;
    if (this.#text.length >= largestBatch) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#delayMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#write(text);
  }
}
