import { signal } from "@preact/signals";
import { Dialog } from "./parts/dialog.tsx";
import { views } from "./views.ts";

const isOpen = signal(false);

export function openHelp(): void {
  isOpen.value = true;
}

const keys: [key: string, meaning: string][] = [
  ["Ctrl K", "Search tickets, pages and actions"],
  ["n", "New ticket"],
  ["/", "Search tickets"],
  ["j", "Go to the first card"],
  ["← ↑ → ↓", "Go from card to card"],
  ["Shift ← →", "Move the card to another column"],
  ["Enter", "Open the card"],
  ["e", "Edit the open ticket"],
  ["?", "Show this list"],
];

export function Help() {
  if (!isOpen.value) return null;
  const rows = [...keys, ...views.value.map(({ key, title }): [string, string] => [`g ${key}`, title])];
  return (
    <Dialog
      label="Keyboard shortcuts"
      close={() => {
        isOpen.value = false;
      }}
    >
      <h2>Keyboard shortcuts</h2>
      <dl class="keys">
        {rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
