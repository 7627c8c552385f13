import { signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

const key = "forge.theme";
const stored = localStorage.getItem(key);
export const theme = signal<Theme>(stored === "light" || stored === "dark" ? stored : "auto");

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

/** As the system has it, then light, then dark. */
export function nextTheme(): void {
  theme.value = theme.value === "auto" ? "light" : theme.value === "light" ? "dark" : "auto";
  localStorage.setItem(key, theme.value);
  applyTheme();
}
