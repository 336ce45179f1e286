import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keep, readKept } from "../data/kept.ts";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const key = "frond-theme";

/** Light, dark, or as the system has it. Kept by the browser. */
export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => applyTheme(theme), [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  const words = `Theme: ${theme}. Change to ${next}`;
  return (
    <button type="button" class="plain header-theme" aria-label={words} title={words} onClick={() => setTheme(next)}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" class={theme}>
        <circle cx="8" cy="8" r="5.5" />
        {theme !== "light" && <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" />}
        {theme === "dark" && <path d="M8 2.5a5.5 5.5 0 0 0 0 11z" />}
      </svg>
    </button>
  );
}

function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  keep(key, theme);
}

function readTheme(): Theme {
  const kept = readKept(key);
  return themes.find((theme) => theme === kept) ?? "system";
}
