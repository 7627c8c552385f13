import { request } from "../data/api.ts";
import { canWrite, facts } from "../data/start.ts";
import { moveTicket } from "../data/tickets.ts";
import type { TicketView } from "../data/types.ts";
import { Avatar, Priority, StatusBadge, Time, TypeMark, Worker } from "../parts/marks.tsx";
import { say, showProblem } from "../parts/toast.tsx";
import { hrefOf } from "../router.ts";

type SideProps = { ticket: TicketView; changed(): void };

/** The facts of a ticket; its status can be changed to what it may become. */
export function TicketSide({ ticket, changed }: SideProps) {
  const { id, status, priority, type, assignee, claim, branch, createdAt, createdBy, updatedAt, updatedBy } = ticket;
  const { labels, dependsOn, blockedBy = [] } = ticket;
  const moves = status === "ARCHIVED" ? [ticket.previousStatus ?? "DRAFT"] : (facts.value?.moves[status] ?? []);
  const move = async (to: string) => {
    const { assignee: assignedTo, ...rest } = ticket;
    const moved = await moveTicket({ ...rest, ...(assignedTo !== undefined && { assignedTo }) }, to);
    if (moved) say(`${id} is now ${facts.value?.statusNames[to] ?? to}`);
    changed();
  };
  const assign = async (name: string | null) => {
    try {
      await request("PATCH", `/api/tickets/${id}`, { assignee: name }, ticket.revision);
    } catch (error) {
      showProblem(error);
    }
    changed();
  };
  return (
    <aside class="side" aria-label="Details">
      <dl>
        <dt>Status</dt>
        <dd>
          <StatusBadge status={status} />
          {ticket.unproven && <span class="type bug">unproven</span>}
          {canWrite.value && moves.length > 0 && (
            <select
              aria-label="Move to"
              value=""
              onChange={(event) => event.currentTarget.value !== "" && void move(event.currentTarget.value)}
            >
              <option value="">Move to…</option>
              {moves.map((to) => (
                <option key={to} value={to}>
                  {facts.value?.statusNames[to] ?? to}
                </option>
              ))}
            </select>
          )}
        </dd>
        {claim && (
          <>
            <dt>At work</dt>
            <dd>
              <Worker holder={claim.holder} />
              <span class="muted">
                until <Time at={claim.until} />
              </span>
            </dd>
          </>
        )}
        <dt>Assignee</dt>
        <dd>
          {assignee === undefined ? (
            <span class="muted">Unassigned</span>
          ) : (
            <>
              <Avatar name={assignee} /> {assignee}
            </>
          )}
          {canWrite.value &&
            (assignee === undefined ? (
              <button type="button" class="quiet" onClick={() => void assign("me")}>
                Assign to me
              </button>
            ) : (
              <button type="button" class="quiet" onClick={() => void assign(null)}>
                Unassign
              </button>
            ))}
        </dd>
        {priority !== undefined && (
          <>
            <dt>Priority</dt>
            <dd>
              <Priority value={priority} withName />
            </dd>
          </>
        )}
        {type !== undefined && (
          <>
            <dt>Type</dt>
            <dd>
              <TypeMark value={type} />
            </dd>
          </>
        )}
        {labels.length > 0 && (
          <>
            <dt>Labels</dt>
            <dd>
              {labels.map((label) => (
                <span key={label} class="type label">
                  {label}
                </span>
              ))}
            </dd>
          </>
        )}
        {dependsOn.length > 0 && (
          <>
            <dt>Depends on</dt>
            <dd>
              {dependsOn.map((needed) => (
                <a key={needed} href={hrefOf(`ticket/${needed}`)}>
                  {needed}
                  {blockedBy.includes(needed) && <span class="visually-hidden"> (not done)</span>}
                </a>
              ))}
              {blockedBy.length > 0 && <span class="type bug">blocked</span>}
            </dd>
          </>
        )}
        {branch !== undefined && (
          <>
            <dt>Branch</dt>
            <dd>
              <code>{branch}</code>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={createdAt} /> {createdBy !== undefined && <span class="muted">by {createdBy}</span>}
        </dd>
        <dt>Updated</dt>
        <dd>
          <Time at={updatedAt} /> {updatedBy !== undefined && <span class="muted">by {updatedBy}</span>}
        </dd>
      </dl>
    </aside>
  );
}
