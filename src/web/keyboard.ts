import { openHelp } from "./help.tsx";
import { openPalette } from "./palette.tsx";
import { navigate, path } from "./router.ts";
import { searchFieldId } from "./tickets/filters.tsx";
import { openNewTicket } from "./tickets/new-ticket.tsx";
import { views } from "./views.ts";

const chainMs = 1_200;
let lastG = 0;

/** Single keys work wherever nothing is being typed. */
export function handleShortcut(event: KeyboardEvent): void {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
    return;
  }
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    document.querySelector("dialog[open]")
  )
    return;
  const view = Date.now() - lastG < chainMs ? views.value.find(({ key }) => key === event.key) : undefined;
  if (view) {
    lastG = 0;
    event.preventDefault();
    navigate(view.path);
    return;
  }
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

const actions: Record<string, () => void> = {
  n: openNewTicket,
  "?": openHelp,
  "/": focusSearch,
  g: () => {
    lastG = Date.now();
  },
  j: focusFirst,
};

function focusSearch(): void {
  if (path.value !== "" && path.value !== "list") navigate("list");
  requestAnimationFrame(() => document.getElementById(searchFieldId)?.focus());
}

/** From anywhere on the board to its first card. */
function focusFirst(): void {
  document.querySelector<HTMLElement>(".column:not(.folded) .card a, .rows a")?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable)
  );
}
