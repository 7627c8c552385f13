import type { Key } from "./keys.ts";
import { bodyRows, type ListState, scroll, select, selectedTicket } from "./state.ts";

/** What the list cannot do itself. */
export type Wish = { want: "reload" | "redraw" | "quit" } | { want: "open" | "edit"; id: string };

type Pressed = { state: ListState; wish?: Wish };

const maxFilterCharacters = 200;

/** What a key does. */
export function press(before: ListState, key: Key): Pressed {
  const state = { ...before, notice: undefined };
  if ("name" in key && key.name === "interrupt") return { state, wish: { want: "quit" } };
  if ("name" in key && key.name === "redraw") return { state, wish: { want: "redraw" } };
  if (state.isTyping) return typeFilter(state, key);
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
      return state.text === "" ? { state } : reload({ ...state, text: "" });
    case "s":
      return reload({ ...state, round: (state.round + 1) % state.rounds.length });
    case "a":
      return reload({ ...state, mine: !state.mine });
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
  if (key.text === "e") return { state, wish: { want: "edit", id } };
  if (key.text !== "x") return { state };
  return {
    state: { ...state, notice: `To run it: forge execute ${id}. To review it: forge review ${id}` },
  };
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
