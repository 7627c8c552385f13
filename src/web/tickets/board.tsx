import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { canWrite, facts } from "../data/start.ts";
import { byColumn, isComplete, isFiltered, isReady, reasonAgainst, ticketNamed } from "../data/tickets.ts";
import type { Column, TicketSummary } from "../data/types.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { Card, cardHeight } from "./card.tsx";
import { dragged, dropOn, enableDrag } from "./drag.ts";
import { Filters } from "./filters.tsx";
import { openNewTicket } from "./new-ticket.tsx";

const unfoldedKey = "forge.unfolded";
const unfolded = signal<ReadonlySet<string>>(new Set((localStorage.getItem(unfoldedKey) ?? "").split(",")));

function toggleFold(id: string): void {
  const next = new Set(unfolded.value);
  if (!next.delete(id)) next.add(id);
  unfolded.value = next;
  localStorage.setItem(unfoldedKey, [...next].join(","));
}

export function Board() {
  const box = useRef<HTMLElement>(null);
  useEffect(() => (box.current ? enableDrag(box.current) : undefined), []);
  const columns = facts.value?.columns ?? [];
  return (
    <>
      <h1 class="visually-hidden">Board</h1>
      <Filters />
      <section
        class={`board${dragged.value ? " is-dragging" : ""}`}
        ref={box}
        aria-label="Board"
        aria-busy={!isReady.value}
        onKeyDown={handleKey}
      >
        {columns.map((column) => (
          <ColumnView key={column.id} column={column} tickets={byColumn.value.get(column.id) ?? []} />
        ))}
      </section>
    </>
  );
}

function ColumnView({ column, tickets }: { column: Column; tickets: TicketSummary[] }) {
  const { id, title, folded } = column;
  const isFolded = folded && !unfolded.value.has(id);
  const state = dragged.value ? targetState(column) : undefined;
  const count = isComplete.value || tickets.length === 0 ? String(tickets.length) : `${tickets.length}+`;
  if (isFolded) {
    return (
      <button
        type="button"
        class={`column folded ${state?.name ?? ""}`}
        data-column={id}
        aria-expanded="false"
        onClick={() => toggleFold(id)}
      >
        <span class="count">{count}</span>
        <span class="folded-title">{title}</span>
      </button>
    );
  }
  return (
    <section class={`column ${state?.name ?? ""}`} data-column={id} aria-labelledby={`column-${id}`}>
      <header>
        <h2 id={`column-${id}`}>
          {title} <span class="count">{count}</span>
        </h2>
        {folded ? (
          <button
            type="button"
            class="quiet"
            aria-label={`Fold ${title}`}
            aria-expanded="true"
            onClick={() => toggleFold(id)}
          >
            «
          </button>
        ) : (
          canWrite.value &&
          id === "todo" && (
            <button
              type="button"
              class="quiet"
              aria-label="New ticket"
              title="New ticket (n)"
              onClick={() => openNewTicket()}
            >
              +
            </button>
          )
        )}
      </header>
      {state?.reason !== undefined && <p class="refusal">{state.reason}</p>}
      <VirtualList
        items={tickets}
        rowHeight={cardHeight}
        keyOf={({ id: ticketId }) => ticketId}
        row={(ticket) => <Card ticket={ticket} />}
        label={`${title}, ${count}`}
      />
      {tickets.length === 0 && isReady.value && <p class="empty">{emptyText(id)}</p>}
    </section>
  );
}

function emptyText(column: string): string {
  if (isFiltered.value) return "No matching tickets.";
  return column === "todo" ? "Nothing to do. Press n to create a ticket." : "No tickets.";
}

/** Shown from the moment a card is lifted: where it may go, and why not elsewhere. */
function targetState(column: Column): { name: string; reason?: string } | undefined {
  const { ticket, over } = dragged.value ?? {};
  if (!ticket) return undefined;
  if (column.statuses.includes(ticket.status)) return { name: "target-own" };
  const reason = reasonAgainst(ticket, column);
  if (reason !== undefined) return { name: over === column.id ? "target-no over" : "target-no", reason };
  return { name: over === column.id ? "target-ok over" : "target-ok" };
}

/** Arrows go from card to card; with Shift they move the card. */
function handleKey(event: KeyboardEvent): void {
  const card = (event.target as Element).closest<HTMLElement>(".card");
  const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
  if (!card || !step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const [across = 0, down = 0] = step;
  if (event.shiftKey) shift(card, across);
  else focusCard(down === 0 ? beside(card, across) : neighbour(card, down));
}

function shift(card: HTMLElement, across: number): void {
  const ticket = ticketNamed(card.dataset["ticket"] ?? "");
  const columns = facts.value?.columns ?? [];
  const at = columns.findIndex(({ statuses }) => statuses.includes(ticket?.status ?? ""));
  if (!ticket || across === 0 || !canWrite.value) return;
  const candidates = across > 0 ? columns.slice(at + 1) : columns.slice(0, at).reverse();
  const target = candidates.find((column) => reasonAgainst(ticket, column) === undefined) ?? candidates[0];
  if (!target) return;
  dropOn(ticket, target.id);
  requestAnimationFrame(() => focusCard(document.querySelector<HTMLElement>(`.card[data-ticket="${ticket.id}"]`)));
}

function focusCard(card: Element | null | undefined): void {
  const link = card?.querySelector<HTMLElement>("a");
  link?.focus();
  link?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function neighbour(card: HTMLElement, down: number): Element | undefined {
  const cards = [...(card.closest(".column")?.querySelectorAll(".card") ?? [])];
  return cards[cards.indexOf(card) + down];
}

function beside(card: HTMLElement, across: number): Element | undefined {
  const columns = [...document.querySelectorAll(".board .column")].filter((column) => column.querySelector(".card"));
  const own = card.closest(".column");
  const target = columns[(own ? columns.indexOf(own) : -1) + across];
  const { top } = card.getBoundingClientRect();
  const cards = [...(target?.querySelectorAll(".card") ?? [])];
  return cards.sort((a, b) => distance(a, top) - distance(b, top))[0];
}

function distance(card: Element, top: number): number {
  return Math.abs(card.getBoundingClientRect().top - top);
}
