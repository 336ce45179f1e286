/** With every answer: it is read as what it says it is, shown in no frame, and loaded by no page of another origin. */
const everywhere = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** For data: a browser that shows it by itself runs and loads nothing. */
export const dataSecurity: Readonly<Record<string, string>> = {
  ...everywhere,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** For the page: nothing from elsewhere, and nothing inline. */
export const pageSecurity: Readonly<Record<string, string>> = {
  ...everywhere,
  "content-security-policy":
    "default-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
