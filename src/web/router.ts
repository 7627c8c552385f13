import { signal } from "@preact/signals";

/** The address below `/board`: `""`, `list`, `ticket/T-001`. */
export const path = signal(readPath());
export const query = signal(new URLSearchParams(location.search));

function readPath(): string {
  return location.pathname.replace(/^\/(?:board\/?)?/, "");
}

export function hrefOf(to: string): string {
  return to === "" ? "/board" : `/board/${to}`;
}

export function navigate(to: string): void {
  history.pushState(null, "", hrefOf(to));
  update();
  scrollTo(0, 0);
  document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}

function update(): void {
  path.value = readPath();
  query.value = new URLSearchParams(location.search);
}

/** Links within the board change the page without loading it again. */
export function followLinks(): void {
  addEventListener("popstate", update);
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    const isPlain =
      !event.defaultPrevented && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !isPlain || link.target !== "" || link.origin !== location.origin) return;
    if (!link.pathname.startsWith("/board")) return;
    event.preventDefault();
    navigate(`${link.pathname.replace(/^\/board\/?/, "")}${link.search}`);
  });
}
