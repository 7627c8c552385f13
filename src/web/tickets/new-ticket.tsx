import { signal } from "@preact/signals";
import { flushSync } from "preact/compat";
import { useState } from "preact/hooks";
import { canWrite } from "../data/start.ts";
import { createTicket } from "../data/tickets.ts";
import { Dialog } from "../parts/dialog.tsx";
import { describeProblem, say } from "../parts/toast.tsx";
import { navigate } from "../router.ts";

const isOpen = signal(false);

export function openNewTicket(): void {
  if (!canWrite.value) return;
  // At once: what is typed next is the title.
  flushSync(() => {
    isOpen.value = true;
  });
}

/** A title is enough: Enter creates the ticket. */
export function NewTicket() {
  return isOpen.value ? <NewTicketForm /> : null;
}

function NewTicketForm() {
  const [problem, setProblem] = useState("");
  const close = () => {
    isOpen.value = false;
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const criteria = text("criteria")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    try {
      const ticket = await createTicket({
        title: text("title"),
        status: form.get("draft") === null ? "READY" : "DRAFT",
        ...(text("description") !== "" && { description: text("description") }),
        ...(text("priority") !== "" && { priority: text("priority") }),
        ...(text("type") !== "" && { type: text("type") }),
        ...(criteria.length > 0 && { acceptanceCriteria: criteria }),
      });
      say(`Created ${ticket.id}`);
      close();
      if ((event.submitter as HTMLButtonElement | null)?.value === "open") navigate(`ticket/${ticket.id}`);
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };
  return (
    <Dialog label="New ticket" close={close}>
      <form class="form" onSubmit={submit}>
        <h2>New ticket</h2>
        {problem !== "" && (
          <p class="problem-box" role="alert">
            {problem}
          </p>
        )}
        <label>
          Title
          <input name="title" required minLength={3} maxLength={300} autoFocus autocomplete="off" />
        </label>
        <label>
          Description
          <textarea name="description" rows={4} />
        </label>
        <label>
          Acceptance criteria, one per line
          <textarea name="criteria" rows={3} />
        </label>
        <div class="form-row">
          <label>
            Priority
            <select name="priority">
              <option value="">None</option>
              {["urgent", "high", "medium", "low"].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Type
            <select name="type">
              <option value="">None</option>
              {["feature", "bug", "task"].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label class="check">
            <input type="checkbox" name="draft" /> Draft
          </label>
        </div>
        <div class="form-buttons">
          <button type="submit" class="primary">
            Create <kbd>Enter</kbd>
          </button>
          <button type="submit" value="open">
            Create and open
          </button>
          <button type="button" class="quiet" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
