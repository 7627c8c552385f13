import { useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { loadView } from "../data/load-view.ts";
import { canWrite } from "../data/start.ts";
import type { TicketView } from "../data/types.ts";
import { Time } from "../parts/marks.tsx";
import { Section } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { showProblem } from "../parts/toast.tsx";

type CommentsProps = { ticket: TicketView; changed(view: TicketView): void };

const maxLength = 2_000;

export function Comments({ ticket, changed }: CommentsProps) {
  const [text, setText] = useState("");
  const comments = ticket.records?.comments ?? [];
  if (comments.length === 0 && !canWrite.value) return null;
  const send = async () => {
    try {
      await request("POST", `/api/tickets/${ticket.id}/records`, { entry: { kind: "comment", text } });
      setText("");
      changed(await loadView(ticket.id));
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Section title="Comments">
      <ul class="notes">
        {comments.map(({ id, by, at, text: said }) => (
          <li key={id}>
            <Prose text={said} />
            <div class="note-meta muted">
              {by}, <Time at={at} />
            </div>
          </li>
        ))}
      </ul>
      {canWrite.value && (
        <form
          class="answer-form"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
          }}
        >
          <textarea
            rows={2}
            required
            maxLength={maxLength}
            aria-label="New comment"
            placeholder="What should others know?"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit">Comment</button>
        </form>
      )}
    </Section>
  );
}
