import { signal } from "@preact/signals";
import { flushSync } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import { request } from "./data/api.ts";
import { facts } from "./data/start.ts";
import { allTickets } from "./data/tickets.ts";
import type { NamedPlace } from "./find-places.ts";
import { openHelp } from "./help.tsx";
import { Dialog } from "./parts/dialog.tsx";
import { navigate } from "./router.ts";
import { nextTheme } from "./theme.ts";
import { openNewTicket } from "./tickets/new-ticket.tsx";
import { views } from "./views.ts";

type Choice = { id: string; title: string; hint: string; run(): void };

const isOpen = signal(false);
const maxChoices = 14;
const maxTickets = 6;
const pauseMs = 120;

export function openPalette(): void {
  // At once: what is typed next is searched for.
  flushSync(() => {
    isOpen.value = true;
  });
}

/** Everything that can be reached, by typing a part of its name. */
export function Palette() {
  return isOpen.value ? <PaletteDialog /> : null;
}

function close(): void {
  isOpen.value = false;
}

function PaletteDialog() {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [remote, setRemote] = useState<Choice[]>([]);
  const [places, setPlaces] = useState<Choice[]>([]);
  useEffect(() => {
    if (facts.value?.place !== "project") return;
    // Its code is loaded when it is first needed.
    void import("./find-places.ts").then(async ({ findPlaces }) => setPlaces((await findPlaces()).map(placeChoice)));
  }, []);
  useEffect(() => {
    setAt(0);
    if (typed.trim().length < 2) return setRemote([]);
    const timer = setTimeout(() => {
      request<{ tickets: { id: string; title: string }[] }>(
        "GET",
        `/api/tickets/suggest?typed=${encodeURIComponent(typed.trim())}`,
      ).then(
        ({ tickets }) => setRemote(tickets.map(ticketChoice)),
        () => setRemote([]),
      );
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const choices = useMemo(() => choicesFor(typed, remote, places), [typed, remote, places]);
  const take = (choice: Choice | undefined) => {
    close();
    choice?.run();
  };
  return (
    <Dialog label="Search everything" close={close} class="palette">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices[at] && `palette-${at}`}
        aria-label="Search everything"
        placeholder="Type a ticket, a task, a definition, a page or an action"
        autocomplete="off"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            setAt((before) => (before + step + choices.length) % Math.max(1, choices.length));
          }
          if (event.key === "Enter") {
            event.preventDefault();
            take(choices[at]);
          }
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Results">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
          <div
            key={choice.id}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => take(choice)}
            onPointerMove={() => setAt(index)}
          >
            <span class="line-title">{choice.title}</span>
            <span class="muted">{choice.hint}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="empty">Nothing found.</p>}
    </Dialog>
  );
}

function ticketChoice({ id, title }: { id: string; title: string }): Choice {
  return { id: `ticket ${id}`, title, hint: id, run: () => navigate(`ticket/${id}`) };
}

function placeChoice({ title, hint, path }: NamedPlace): Choice {
  return { id: `${path} ${title}`, title, hint, run: () => navigate(path) };
}

/** Searches that have a page of their own. */
function searchesFor(typed: string): Choice[] {
  const search = (path: string, title: string) => ({
    ...{ id: `search ${path}`, title: `${title} “${typed}”`, hint: "search" },
    run: () => navigate(`${path}?q=${encodeURIComponent(typed)}`),
  });
  const offered = new Set(views.value.map(({ path }) => path));
  return [
    ...(offered.has("memory") ? [search("memory", "Search memories for")] : []),
    ...(offered.has("registry") ? [search("registry", "Search the registry for")] : []),
  ];
}

function choicesFor(typed: string, remote: Choice[], places: Choice[]): Choice[] {
  const actions: Choice[] = [
    { id: "new", title: "New ticket", hint: "n", run: openNewTicket },
    ...views.value.map(({ path, title, key }) => ({
      ...{ id: `view ${path}`, title: `Go to ${title}`, hint: `g ${key}` },
      run: () => navigate(path),
    })),
    { id: "theme", title: "Change the theme", hint: "", run: nextTheme },
    { id: "keys", title: "Keyboard shortcuts", hint: "?", run: openHelp },
  ];
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fits = ({ title, hint }: Choice) => words.every((word) => `${title} ${hint}`.toLowerCase().includes(word));
  const own = words.length === 0 ? [] : allTickets().map(ticketChoice).filter(fits);
  const tickets = own.slice(0, maxTickets);
  const all =
    words.length === 0
      ? actions
      : [...tickets, ...actions.filter(fits), ...places.filter(fits).slice(0, maxTickets), ...remote];
  const searches = words.length === 0 ? [] : searchesFor(typed.trim());
  const different = [...new Map(all.map((choice) => [choice.id, choice])).values()];
  return [...different.slice(0, maxChoices - searches.length), ...searches];
}
