import { isComplete, isReady, shown } from "../data/tickets.ts";
import { Avatar, Priority, StatusBadge, Time, TypeMark, Worker } from "../parts/marks.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { hrefOf } from "../router.ts";
import { Filters } from "./filters.tsx";

const rowHeight = 44;

export function TicketList() {
  return (
    <>
      <h1 class="visually-hidden">Tickets</h1>
      <Filters />
      <VirtualList
        class="rows"
        items={shown.value}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        label={`Tickets, ${shown.value.length}${isComplete.value ? "" : "+"}`}
        row={({ id, title, status, type, priority, assignedTo, claim, updatedAt, unproven, labels = [] }) => (
          <a class="row" href={hrefOf(`ticket/${id}`)}>
            <span class="id">{id}</span>
            <span class="row-mark">{priority !== undefined && <Priority value={priority} />}</span>
            <span class="row-title">{title}</span>
            {labels.map((label) => (
              <span key={label} class="type label">
                {label}
              </span>
            ))}
            {claim && <Worker holder={claim.holder} />}
            {type !== undefined && <TypeMark value={type} />}
            {unproven && <span class="type bug unproven">unproven</span>}
            <StatusBadge status={status} />
            <span class="row-mark">{assignedTo !== undefined && <Avatar name={assignedTo} />}</span>
            <span class="row-time">
              <Time at={updatedAt} />
            </span>
          </a>
        )}
      />
      {isReady.value && shown.value.length === 0 && <p class="empty">No matching tickets.</p>}
    </>
  );
}
