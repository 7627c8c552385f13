import { useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { loadView } from "../data/load-view.ts";
import { canWrite } from "../data/start.ts";
import type { Question, TicketView } from "../data/types.ts";
import { showProblem } from "../parts/toast.tsx";

type QuestionsProps = { ticket: TicketView; changed(view: TicketView): void };

/** Open ones first, with a field for the answer. */
export function Questions({ ticket, changed }: QuestionsProps) {
  const { questions } = ticket;
  if (questions.length === 0) return null;
  const open = questions.filter(isOpen);
  return (
    <section>
      <h2>Questions {open.length > 0 && <span class="count attention">{open.length} open</span>}</h2>
      <ul class="questions">
        {[...open, ...questions.filter((question) => !isOpen(question))].map((question) => (
          <li key={question.id} class={isOpen(question) ? "open" : ""}>
            <p>
              <span class="id">{question.id}</span> {question.question}{" "}
              {question.blocking && <span class="type bug">blocking</span>}
              {question.askedBy !== undefined && <span class="muted"> asked by {question.askedBy}</span>}
            </p>
            {isOpen(question) ? (
              canWrite.value && <AnswerForm ticket={ticket} question={question} changed={changed} />
            ) : (
              <p class="answer">
                {question.answer ?? `Dismissed: ${question.dismissed}`}
                <span class="muted"> {question.answeredBy ?? question.dismissedBy}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function isOpen({ answer, dismissed }: Question): boolean {
  return (answer ?? "").trim() === "" && dismissed === undefined;
}

function AnswerForm({ ticket, question, changed }: QuestionsProps & { question: Question }) {
  const [text, setText] = useState("");
  const send = async (path: "answers" | "dismissals", body: Record<string, unknown>) => {
    try {
      await request("POST", `/api/tickets/${ticket.id}/${path}`, body);
      changed(await loadView(ticket.id));
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <form
      class="answer-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send("answers", { answers: { [question.id]: text } });
      }}
    >
      <textarea
        rows={2}
        required
        aria-label={`Answer to ${question.id}`}
        placeholder="Your answer"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        Answer
      </button>
      <button
        type="button"
        class="quiet"
        disabled={text.trim() === ""}
        title="Dismiss the question, with your text as the reason"
        onClick={() => void send("dismissals", { reasons: { [question.id]: text } })}
      >
        Dismiss with this reason
      </button>
    </form>
  );
}
