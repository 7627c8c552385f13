import { signal } from "@preact/signals";
import { canWrite, facts } from "../data/start.ts";
import { moveTicket, reasonAgainst, ticketNamed } from "../data/tickets.ts";
import type { TicketSummary } from "../data/types.ts";
import { say, showProblem } from "../parts/toast.tsx";

/** The ticket that is being dragged, and the column below it. */
export const dragged = signal<{ ticket: TicketSummary; over: string | undefined } | undefined>(undefined);

const thresholdPx = 5;
const longPressMs = 280;
const edgePx = 48;

type Grip = {
  card: HTMLElement;
  pointer: number;
  x: number;
  y: number;
  ghost?: HTMLElement;
  timer?: ReturnType<typeof setTimeout>;
};

/** Drag and drop by pointer events: with a mouse at once, by touch after a long press, so that a swipe still scrolls. */
export function enableDrag(board: HTMLElement): () => void {
  let grip: Grip | undefined;
  let frame = 0;

  const begin = (x: number, y: number) => {
    const ticket = grip && ticketNamed(grip.card.dataset["ticket"] ?? "");
    if (!grip || !ticket) return end();
    const { width } = grip.card.getBoundingClientRect();
    const ghost = grip.card.cloneNode(true) as HTMLElement;
    ghost.classList.add("ghost");
    ghost.style.width = `${width}px`;
    ghost.setAttribute("aria-hidden", "true");
    document.body.append(ghost);
    grip.ghost = ghost;
    document.body.classList.add("dragging");
    dragged.value = { ticket, over: undefined };
    place(x, y);
  };

  const place = (x: number, y: number) => {
    if (!grip?.ghost || !dragged.value) return;
    grip.ghost.style.transform = `translate(${x - 20}px, ${y - 20}px) rotate(2deg)`;
    const column = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-column]");
    const over = column?.dataset["column"];
    if (over !== dragged.value.over) dragged.value = { ...dragged.value, over };
    const { left, right } = board.getBoundingClientRect();
    if (x < left + edgePx) board.scrollBy(-12, 0);
    if (x > right - edgePx) board.scrollBy(12, 0);
    const list = column?.querySelector<HTMLElement>(".virtual");
    if (list) {
      const box = list.getBoundingClientRect();
      if (y < box.top + edgePx) list.scrollBy(0, -10);
      if (y > box.bottom - edgePx) list.scrollBy(0, 10);
    }
  };

  const end = () => {
    cancelAnimationFrame(frame);
    clearTimeout(grip?.timer);
    grip?.ghost?.remove();
    document.body.classList.remove("dragging");
    grip = undefined;
    dragged.value = undefined;
  };

  const onDown = (event: PointerEvent) => {
    const card = (event.target as Element).closest<HTMLElement>(".card");
    if (!card || event.button !== 0 || !canWrite.value || grip) return;
    grip = { card, pointer: event.pointerId, x: event.clientX, y: event.clientY };
    if (event.pointerType !== "mouse") grip.timer = setTimeout(() => begin(event.clientX, event.clientY), longPressMs);
  };

  const onMove = (event: PointerEvent) => {
    if (!grip || event.pointerId !== grip.pointer) return;
    const moved = Math.hypot(event.clientX - grip.x, event.clientY - grip.y);
    if (!grip.ghost) {
      if (moved < thresholdPx) return;
      // A finger that moves before the long press is over scrolls.
      if (event.pointerType !== "mouse") return end();
      begin(event.clientX, event.clientY);
    }
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => place(event.clientX, event.clientY));
  };

  const onUp = (event: PointerEvent) => {
    if (!grip || event.pointerId !== grip.pointer) return;
    if (grip.ghost) place(event.clientX, event.clientY);
    const { ticket, over } = dragged.value ?? {};
    const hasMoved = grip.ghost !== undefined;
    end();
    if (hasMoved) preventClick();
    if (ticket && over !== undefined) dropOn(ticket, over);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && grip?.ghost) end();
  };
  const keepTouch = (event: TouchEvent) => {
    if (grip?.ghost) event.preventDefault();
  };
  const noNative = (event: Event) => event.preventDefault();

  board.addEventListener("pointerdown", onDown);
  board.addEventListener("dragstart", noNative);
  board.addEventListener("touchmove", keepTouch, { passive: false });
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", end);
  addEventListener("keydown", onKey);
  return () => {
    end();
    board.removeEventListener("pointerdown", onDown);
    board.removeEventListener("dragstart", noNative);
    board.removeEventListener("touchmove", keepTouch);
    removeEventListener("pointermove", onMove);
    removeEventListener("pointerup", onUp);
    removeEventListener("pointercancel", end);
    removeEventListener("keydown", onKey);
  };
}

/** Letting go of a card over its own link is not a click. */
function preventClick(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 50);
}

/** Moves a ticket to a column, or says why it cannot go there. */
export function dropOn(ticket: TicketSummary, columnId: string): void {
  const column = facts.value?.columns.find(({ id }) => id === columnId);
  if (!column || column.statuses.includes(ticket.status)) return;
  const reason = reasonAgainst(ticket, column);
  if (reason !== undefined || column.drop === undefined) showProblem(`${ticket.id}: ${reason}.`);
  else void moveTicket(ticket, column.drop).then((moved) => moved && say(`${ticket.id} moved to ${column.title}`));
}
