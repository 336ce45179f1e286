import type { BrowserTarget } from "../../block/browsers.ts";
import type { PlaywrightLocator, PlaywrightPage } from "./playwright.ts";

/** The elements that are meant. What they are called is handed over as a text; only a selector that its author wrote is read as one. */
export function locateElements(page: PlaywrightPage, target: BrowserTarget): PlaywrightLocator {
  const all = locateAll(page, target);
  const { nth } = target;
  if (nth === undefined) return all;
  if (nth > 0) return all.nth(nth - 1);
  return nth === -1 ? all.last() : all.nth(nth);
}

function locateAll(page: PlaywrightPage, target: BrowserTarget): PlaywrightLocator {
  switch (target.by) {
    case "role": {
      const { name } = target;
      return page.getByRole(target.role, name === undefined ? {} : { name: name.text, exact: name.exact });
    }
    case "text":
      return page.getByText(target.text.text, target.text);
    case "label":
      return page.getByLabel(target.text.text, target.text);
    case "placeholder":
      return page.getByPlaceholder(target.text.text, target.text);
    case "css":
      return page.locator(`css=${target.selector}`);
  }
}
