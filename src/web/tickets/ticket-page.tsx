import { useEffect, useState } from "preact/hooks";
import { onEntry } from "../data/events.ts";
import { loadView } from "../data/load-view.ts";
import { canWrite } from "../data/start.ts";
import { keep } from "../data/tickets.ts";
import type { LedgerEntry, TicketView } from "../data/types.ts";
import { showHidden } from "../parts/foreign-text.ts";
import { Loading, ProblemPage } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { describeProblem } from "../parts/toast.tsx";
import { Criteria } from "../proof/criteria.tsx";
import { hrefOf } from "../router.ts";
import { TicketWork } from "../workbench/ticket-work.tsx";
import { Comments } from "./comments.tsx";
import { EditForm } from "./edit-form.tsx";
import { History } from "./history.tsx";
import { Questions } from "./questions.tsx";
import { TicketSide } from "./ticket-side.tsx";

function summaryFromView({ assignee, ...view }: TicketView) {
  return { ...view, ...(assignee !== undefined && { assignedTo: assignee }) };
}

export function TicketPage({ id }: { id: string }) {
  const [ticket, setTicket] = useState<TicketView | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const [isEdited, setEdited] = useState(false);
  const [live, setLive] = useState<readonly LedgerEntry[]>([]);
  const show = (view: TicketView) => {
    setTicket(view);
    keep(summaryFromView(view));
  };
  const read = () => loadView(id).then(show, (error: unknown) => setProblem(describeProblem(error)));
  useEffect(() => {
    setEdited(false);
    setLive([]);
    setProblem(undefined);
    void read();
    return onEntry((entry) => {
      if (!entry.about.includes(`ticket:${id}`)) return;
      setLive((before) => [...before.filter((known) => known.id !== entry.id), entry].slice(-50));
      if (entry.effect !== "read" && entry.outcome !== "open") void read();
    });
  }, [id]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
      if (event.key === "e" && !isTyping && !event.ctrlKey && !event.metaKey && canWrite.value) {
        event.preventDefault();
        setEdited(true);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (problem !== undefined) return <ProblemPage text={problem} />;
  if (!ticket) return <Loading />;
  document.title = `${ticket.id} ${showHidden(ticket.title)} · Forge`;
  return (
    <article class="page ticket">
      <p class="crumbs">
        <a href={hrefOf("")}>Board</a> / <span class="id">{ticket.id}</span>
      </p>
      {isEdited ? (
        <EditForm
          ticket={ticket}
          done={(saved) => {
            if (saved) show(saved);
            setEdited(false);
          }}
        />
      ) : (
        <>
          <header class="ticket-head">
            <h1>{ticket.title}</h1>
            {canWrite.value && (
              <button type="button" onClick={() => setEdited(true)}>
                Edit <kbd>e</kbd>
              </button>
            )}
          </header>
          <div class="ticket-grid">
            <div class="ticket-main">
              <TicketText ticket={ticket} />
              <Questions ticket={ticket} changed={show} />
              <TicketWork ticket={ticket} />
              <ChangeRecord record={ticket.changeRecord} />
              <Comments ticket={ticket} changed={show} />
              <History entries={ticket.history} live={live} />
            </div>
            <TicketSide ticket={ticket} changed={() => void read()} />
          </div>
        </>
      )}
    </article>
  );
}

function TicketText({ ticket }: { ticket: TicketView }) {
  const { description, problemStatement, solution, criteria, fileChanges, apiChanges, testPlan } = ticket;
  const hasText = [description, problemStatement, solution].some((text) => (text ?? "") !== "");
  return (
    <>
      {!hasText && criteria.length === 0 && <p class="empty">No description yet.</p>}
      <TextPart title="Description" text={description} />
      <TextPart title="Problem" text={problemStatement} />
      <TextPart title="Solution" text={solution} />
      <Criteria key={ticket.id} ticket={ticket} />
      {fileChanges.length > 0 && (
        <section>
          <h2>Files</h2>
          <ul class="files">
            {fileChanges.map(({ path, action, notes }) => (
              <li key={path}>
                <span class={`file-action ${action}`}>{action}</span> <code>{path}</code>
                {notes !== undefined && <span class="muted"> {notes}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <TextPart title="API changes" text={apiChanges} />
      <TextPart title="Test plan" text={testPlan} />
      <ListPart title="In scope" items={ticket.inScope} />
      <ListPart title="Out of scope" items={ticket.outOfScope} />
      <ListPart title="Assumptions" items={ticket.assumptions} />
      <ListPart title="Designs" items={ticket.designRefs} />
    </>
  );
}

function TextPart({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined || text === "") return null;
  return (
    <section>
      <h2>{title}</h2>
      <Prose text={text} />
    </section>
  );
}

function ListPart({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item}>
            <Prose text={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type RecordedFile = { path: string; additions: number; deletions: number };

/** What was done, as it was recorded on completion. */
function ChangeRecord({ record }: { record: Record<string, unknown> | undefined }) {
  if (!record) return null;
  const { executionSummary, branch, commit } = record;
  const files = Array.isArray(record["filesChanged"]) ? (record["filesChanged"] as RecordedFile[]) : [];
  return (
    <section>
      <h2>What was done</h2>
      {typeof executionSummary === "string" && <Prose text={executionSummary} />}
      <p class="muted">
        {typeof branch === "string" && (
          <>
            Branch <code>{branch}</code>{" "}
          </>
        )}
        {typeof commit === "string" && (
          <>
            Commit <code>{commit.slice(0, 10)}</code>
          </>
        )}
      </p>
      <ul class="files">
        {files.map(({ path, additions, deletions }) => (
          <li key={path}>
            <code>{path}</code> <span class="added">+{additions}</span> <span class="removed">−{deletions}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
