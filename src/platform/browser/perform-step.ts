import type { BrowserAnswer, BrowserStep, BrowserTarget, SeenElement } from "../../block/browsers.ts";
import { locateElements } from "./locate-elements.ts";
import { PageFailure } from "./page-failure.ts";
import type { PageElement, PlaywrightLocator, PlaywrightPage } from "./playwright.ts";

/** Everything but opening a page. */
export type PageStep = Exclude<BrowserStep, { kind: "open" }>;
type Found = Pick<BrowserAnswer, "extracted" | "elements" | "picture">;

/** Of all texts together that come from one page. */
const mostCharacters = 10_000_000;
const mostElements = 1000;

export async function performStep(page: PlaywrightPage, step: PageStep, timeout: number): Promise<Found> {
  switch (step.kind) {
    case "click":
      await locateElements(page, step.target).click({ timeout });
      return nothing(page, timeout);
    case "fill":
      await locateElements(page, step.target).fill(step.text, { timeout });
      return {};
    case "select":
      await locateElements(page, step.target).selectOption(step.options, { timeout });
      return nothing(page, timeout);
    case "press":
      if (step.target === undefined) await page.keyboard.press(step.key);
      else await locateElements(page, step.target).press(step.key, { timeout });
      return nothing(page, timeout);
    case "scroll":
      await scroll(page, step.to, timeout);
      return {};
    case "look":
      return { elements: await look(elementsOf(page, step.target)) };
    case "extract":
      return { extracted: await extract(page, step, timeout) };
    case "picture": {
      const { target, fullPage } = step;
      const picture =
        target === undefined
          ? await page.screenshot({ timeout, fullPage })
          : await locateElements(page, target).screenshot({ timeout });
      return { picture };
    }
  }
}

/** Where the step leads to another page, that one is there before the next step looks for something on it. */
async function nothing(page: PlaywrightPage, timeout: number): Promise<Found> {
  await page.waitForLoadState("load", { timeout }).catch(() => {});
  return {};
}

function elementsOf(page: PlaywrightPage, target: BrowserTarget | undefined): PlaywrightLocator {
  return target === undefined ? page.locator("css=body") : locateElements(page, target);
}

async function scroll(
  page: PlaywrightPage,
  to: Extract<BrowserStep, { kind: "scroll" }>["to"],
  timeout: number,
): Promise<void> {
  if (typeof to === "object" && "by" in to) return locateElements(page, to).scrollIntoViewIfNeeded({ timeout });
  const down = typeof to === "object" ? to.down : undefined;
  await page.evaluate(scrollPage, { down, toTop: to === "top" });
}

async function look(locator: PlaywrightLocator): Promise<readonly SeenElement[]> {
  return locator.evaluateAll(describeElements, { most: mostElements, mostCharacters });
}

async function extract(
  page: PlaywrightPage,
  { target, attribute, all }: Extract<BrowserStep, { kind: "extract" }>,
  timeout: number,
): Promise<string | null | (string | null)[]> {
  const locator = elementsOf(page, target);
  await locator.nth(0).waitFor({ state: "attached", timeout });
  const found = await locator.evaluateAll(readElements, { attribute: attribute ?? null, most: mostElements });
  if (found.reduce((sum, text) => sum + (text?.length ?? 0), 0) > mostCharacters) {
    throw new PageFailure(`it is more than ${mostCharacters.toLocaleString("en-US")} characters`);
  }
  if (all) return found;
  if (found.length > 1) {
    throw new PageFailure(
      `${found.length} elements match: choose one by \`nth\`, or take all of them with \`all: true\``,
    );
  }
  return found[0] ?? null;
}

// What follows runs inside of the page, so each of them uses nothing but what it is given.

function scrollPage({ down, toTop }: { readonly down: number | undefined; readonly toTop: boolean }): void {
  const { window } = globalThis as unknown as {
    readonly window: {
      readonly document: { readonly documentElement: { readonly scrollHeight: number } };
      scrollTo(x: number, y: number): void;
      scrollBy(x: number, y: number): void;
    };
  };
  if (down !== undefined) window.scrollBy(0, down);
  else window.scrollTo(0, toTop ? 0 : window.document.documentElement.scrollHeight);
}

function describeElements(
  elements: PageElement[],
  { most, mostCharacters }: { readonly most: number; readonly mostCharacters: number },
): SeenElement[] {
  return elements.slice(0, most).map((element) => {
    // biome-ignore lint/performance/useDomNodeTextContent: what is shown is meant, not what is in the source.
    const { innerText, textContent } = element;
    const { width, height } = element.getBoundingClientRect();
    const style = element.ownerDocument.defaultView?.getComputedStyle(element);
    return {
      visible: width > 0 && height > 0 && style?.visibility === "visible",
      enabled: element.disabled !== true && element.getAttribute("aria-disabled") !== "true",
      checked: element.checked === true || element.getAttribute("aria-checked") === "true",
      text: (innerText ?? textContent ?? "").trim().slice(0, mostCharacters / most),
      value: typeof element.value === "string" ? element.value : null,
    };
  });
}

function readElements(
  elements: PageElement[],
  { attribute, most }: { readonly attribute: string | null; readonly most: number },
): (string | null)[] {
  return elements.slice(0, most).map((element) => {
    // biome-ignore lint/performance/useDomNodeTextContent: what is shown is meant, not what is in the source.
    const { innerText, textContent } = element;
    if (attribute === null) return (innerText ?? textContent ?? "").trim();
    // What a field holds now, and links as whole addresses, are properties.
    const property = ["value", "href", "src"].includes(attribute)
      ? (element as unknown as Record<string, unknown>)[attribute]
      : undefined;
    return typeof property === "string" ? property : element.getAttribute(attribute);
  });
}
