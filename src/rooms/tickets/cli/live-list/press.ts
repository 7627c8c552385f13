import type { Key } from "./keys.ts";
import {
  bodyRows,
  clearFilters,
  isFiltered,
  type ListState,
  type Prompt,
  scroll,
  select,
  selectedTicket,
} from "./state.ts";

/** What the list cannot do itself. */
export type Wish =
  | { want: "reload" | "redraw" | "quit" }
  | { want: "open" | "edit" | "run"; id: string }
  | { want: "change"; prompt: Prompt };

type Pressed = { state: ListState; wish?: Wish };

const maxFilterCharacters = 200;
const maxPromptCharacters = 300;

/** What a key does. */
export function press(before: ListState, key: Key): Pressed {
  const state = { ...before, notice: undefined };
  if ("name" in key && key.name === "interrupt") return { state, wish: { want: "quit" } };
  if ("name" in key && key.name === "redraw") return { state, wish: { want: "redraw" } };
  if (state.isHelp) return { state: { ...state, isHelp: false } };
  if (state.prompt) return typePrompt(state, state.prompt, key);
  if (state.isTyping) return typeFilter(state, key);
  if ("text" in key && key.text === "?") return { state: { ...state, isHelp: true } };
  const distance = distanceOf(state, key);
  if (state.opened) return inTicket(state, key, distance);
  if (distance !== undefined) return { state: select(state, state.selected + distance) };
  return inList(state, key);
}

/** How far a key moves, in either view; undefined for one that does not move. */
function distanceOf(state: ListState, key: Key): number | undefined {
  const page = Math.max(1, bodyRows(state) - 1);
  switch ("name" in key ? key.name : key.text) {
    case "up":
    case "k":
      return -1;
    case "down":
    case "j":
      return 1;
    case "page-up":
      return -page;
    case "page-down":
    case " ":
      return page;
    case "home":
    case "g":
      return Number.NEGATIVE_INFINITY;
    case "end":
    case "G":
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}

function inList(state: ListState, key: Key): Pressed {
  const id = selectedTicket(state)?.id;
  switch ("name" in key ? key.name : key.text) {
    case "q":
      return { state, wish: { want: "quit" } };
    case "/":
      return { state: { ...state, isTyping: true } };
    case "escape":
      return isFiltered(state) ? reload(clearFilters(state)) : { state };
    case "s":
      return reload({ ...state, round: (state.round + 1) % state.rounds.length });
    case "a":
      return reload({ ...state, mine: !state.mine });
    case "n":
      return { state: { ...state, prompt: { kind: "create", text: "" } } };
    case "enter":
      return id === undefined ? { state } : { state, wish: { want: "open", id } };
    default:
      return forTicket(state, key, id);
  }
}

function inTicket(state: ListState, key: Key, distance: number | undefined): Pressed {
  if (distance !== undefined) return { state: scroll(state, distance) };
  const pressed = "name" in key ? key.name : key.text;
  if (pressed === "escape" || pressed === "q" || pressed === "backspace")
    return { state: { ...state, opened: undefined } };
  return forTicket(state, key, state.opened?.id);
}

function forTicket(state: ListState, key: Key, id: string | undefined): Pressed {
  if (id === undefined || "name" in key) return { state };
  switch (key.text) {
    case "e":
      return { state, wish: { want: "edit", id } };
    case "x":
      return { state, wish: { want: "run", id } };
    case "m":
      return { state: { ...state, prompt: { kind: "move", id, text: "" } } };
    case "A":
      return { state: { ...state, prompt: { kind: "assign", id, text: "" } } };
    default:
      return { state };
  }
}

function typePrompt(state: ListState, prompt: Prompt, key: Key): Pressed {
  const become = (text: string): Pressed => ({ state: { ...state, prompt: { ...prompt, text } } });
  if ("text" in key) return prompt.text.length >= maxPromptCharacters ? { state } : become(prompt.text + key.text);
  switch (key.name) {
    case "enter": {
      const done = { ...state, prompt: undefined };
      const isMissing = prompt.kind !== "assign" && prompt.text.trim() === "";
      return isMissing ? { state: done } : { state: done, wish: { want: "change", prompt } };
    }
    case "escape":
      return { state: { ...state, prompt: undefined } };
    case "erase-line":
      return become("");
    case "backspace":
      return become([...prompt.text].slice(0, -1).join(""));
    default:
      return { state };
  }
}

function typeFilter(state: ListState, key: Key): Pressed {
  if ("text" in key) {
    if (state.text.length >= maxFilterCharacters) return { state };
    return reload({ ...state, text: state.text + key.text });
  }
  switch (key.name) {
    case "enter":
      return { state: { ...state, isTyping: false } };
    case "escape":
      return reload({ ...state, isTyping: false, text: "" });
    case "erase-line":
      return reload({ ...state, text: "" });
    case "backspace":
      return reload({ ...state, text: [...state.text].slice(0, -1).join("") });
    case "up":
    case "down":
      return { state: select(state, state.selected + (key.name === "up" ? -1 : 1)) };
    default:
      return { state };
  }
}

/** With another filter the list has to be loaded again. */
function reload(state: ListState): Pressed {
  return { state, wish: { want: "reload" } };
}
