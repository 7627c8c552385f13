import { memo } from "preact/compat";
import { openNeedsOf } from "../data/tickets.ts";
import type { TicketSummary } from "../data/types.ts";
import { Avatar, Priority, TypeMark, Worker } from "../parts/marks.tsx";
import { hrefOf } from "../router.ts";

/** Including the space below it. */
export const cardHeight = 96;

const maxLabels = 2;

export const Card = memo(function Card({ ticket }: { ticket: TicketSummary }) {
  const { id, title, type, priority, assignedTo, claim, status, unproven, labels = [] } = ticket;
  const needs = openNeedsOf(ticket);
  return (
    <article class={`card${claim ? " at-work" : ""}`} data-ticket={id}>
      <a
        class="card-title"
        href={hrefOf(`ticket/${id}`)}
        draggable={false}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
      >
        {title}
      </a>
      <div class="card-meta">
        <span class="id">{id}</span>
        {priority !== undefined && <Priority value={priority} />}
        {type !== undefined && <TypeMark value={type} />}
        {status === "DRIFTED" && <span class="type bug">drifted</span>}
        {needs.length > 0 && (
          <span class="type bug" title={`Waits for ${needs.join(", ")}`}>
            blocked
          </span>
        )}
        {unproven && <span class="type bug">unproven</span>}
        {status === "WAITING_FOR_APPROVAL" && <span class="type">approval</span>}
        {labels.slice(0, maxLabels).map((label) => (
          <span key={label} class="type label">
            {label}
          </span>
        ))}
        <span class="space" />
        {claim && <Worker holder={claim.holder} />}
        {assignedTo !== undefined && <Avatar name={assignedTo} />}
      </div>
    </article>
  );
});
