import { useState } from "preact/hooks";
import { ApiError, request } from "../data/api.ts";
import { loadView } from "../data/load-view.ts";
import type { TicketView } from "../data/types.ts";
import { describeProblem } from "../parts/toast.tsx";
import { type EditedFields, fieldNames, fieldsOf, mergeFields, toChanges } from "./merge-fields.ts";

type EditFormProps = { ticket: TicketView; done(saved: TicketView | undefined): void };

/**
 * Edits a ticket. If it was changed meanwhile, fields that only one side changed are merged by themselves; for the others the
 * person chooses.
 */
export function EditForm({ ticket, done }: EditFormProps) {
  const [base, setBase] = useState(ticket);
  const [mine, setMine] = useState<EditedFields>(() => fieldsOf(ticket));
  const [conflicts, setConflicts] = useState<{ field: keyof EditedFields; theirs: string }[]>([]);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const set = (field: keyof EditedFields, value: string) => setMine((before) => ({ ...before, [field]: value }));

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    setProblem("");
    const changes = toChanges(fieldsOf(base), mine);
    if (Object.keys(changes).length === 0) return done(undefined);
    setBusy(true);
    try {
      await request("PATCH", `/api/tickets/${ticket.id}`, changes, base.revision);
      done(await loadView(ticket.id));
    } catch (error) {
      if (error instanceof ApiError && error.isConflict) await merge();
      else setProblem(describeProblem(error));
    }
    setBusy(false);
  };

  const merge = async () => {
    const theirs = await loadView(ticket.id);
    const { merged, conflicts: found } = mergeFields(fieldsOf(base), mine, fieldsOf(theirs));
    setBase(theirs);
    setMine(merged);
    setConflicts(found);
    const who = theirs.updatedBy ?? "Someone";
    setProblem(
      found.length === 0
        ? `${who} changed this ticket meanwhile. Their changes are merged with yours below; save again to keep both.`
        : `${who} changed this ticket meanwhile. Choose what to keep where you both changed the same field.`,
    );
  };

  const area = (field: keyof EditedFields, rows: number) => (
    <div class="field">
      <label for={`edit-${field}`}>{fieldNames[field]}</label>
      <textarea
        id={`edit-${field}`}
        rows={rows}
        value={mine[field]}
        onInput={(event) => set(field, event.currentTarget.value)}
      />
      {conflictOf(field)}
    </div>
  );

  const words = (field: "labels" | "dependsOn", hint: string) => (
    <label>
      {fieldNames[field]}
      <input value={mine[field]} placeholder={hint} onInput={(event) => set(field, event.currentTarget.value)} />
      {conflictOf(field)}
    </label>
  );

  const conflictOf = (field: keyof EditedFields) => {
    const conflict = conflicts.find((each) => each.field === field);
    if (!conflict) return null;
    const settle = () => setConflicts((before) => before.filter((each) => each.field !== field));
    return (
      <fieldset class="conflict" aria-label={`Conflict in ${fieldNames[field]}`}>
        <p>They wrote:</p>
        <pre>{conflict.theirs}</pre>
        <button
          type="button"
          onClick={() => {
            set(field, conflict.theirs);
            settle();
          }}
        >
          Take theirs
        </button>
        <button type="button" onClick={settle}>
          Keep mine
        </button>
      </fieldset>
    );
  };

  return (
    <form
      class="form edit"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        if (event.key === "Escape") done(undefined);
      }}
    >
      <h1>Edit {ticket.id}</h1>
      {problem !== "" && (
        <p class="problem-box" role="alert">
          {problem}
        </p>
      )}
      <div class="field">
        <label for="edit-title">Title</label>
        <input
          id="edit-title"
          required
          minLength={3}
          maxLength={300}
          value={mine.title}
          onInput={(event) => set("title", event.currentTarget.value)}
        />
        {conflictOf("title")}
      </div>
      {area("description", 6)}
      {area("problemStatement", 3)}
      {area("solution", 3)}
      {area("acceptanceCriteria", 5)}
      <div class="form-row">
        <label>
          Priority
          <select value={mine.priority} onChange={(event) => set("priority", event.currentTarget.value)}>
            <option value="" disabled={base.priority !== undefined}>
              None
            </option>
            {["urgent", "high", "medium", "low"].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Type
          <select value={mine.type} onChange={(event) => set("type", event.currentTarget.value)}>
            <option value="" disabled={base.type !== undefined}>
              None
            </option>
            {["feature", "bug", "task"].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Assignee
          <input
            value={mine.assignee}
            placeholder="Unassigned"
            onInput={(event) => set("assignee", event.currentTarget.value)}
          />
        </label>
      </div>
      <div class="form-row">
        {words("labels", "Separated by spaces")}
        {words("dependsOn", "Tickets that have to be done first")}
      </div>
      <div class="form-buttons">
        <button type="submit" class="primary" disabled={isBusy || conflicts.length > 0}>
          Save <kbd>Ctrl+Enter</kbd>
        </button>
        <button type="button" class="quiet" onClick={() => done(undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
