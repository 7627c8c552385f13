import { canWrite } from "../data/start.ts";
import { assignees, filter, isFiltered, labels, noFilter, search, shown } from "../data/tickets.ts";
import { plural } from "../parts/words.ts";
import { openNewTicket } from "./new-ticket.tsx";

/** The search field is reached with `/`. */
export const searchFieldId = "search";

export function Filters() {
  const { text, assignee, priority, type, label } = filter.value;
  const set = (name: string) => (event: Event) => {
    filter.value = { ...filter.value, [name]: (event.currentTarget as HTMLSelectElement).value };
  };
  return (
    <search class="filters">
      <input
        id={searchFieldId}
        type="search"
        placeholder="Search tickets"
        aria-label="Search tickets"
        title="Search ( / )"
        value={text}
        onInput={(event) => void search(event.currentTarget.value)}
      />
      <select aria-label="Assignee" value={assignee} onChange={set("assignee")}>
        <option value="">Anyone</option>
        <option value="-">Unassigned</option>
        {assignees.value.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <select aria-label="Priority" value={priority} onChange={set("priority")}>
        <option value="">Any priority</option>
        {["urgent", "high", "medium", "low"].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select aria-label="Type" value={type} onChange={set("type")}>
        <option value="">Any type</option>
        {["feature", "bug", "task"].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {labels.value.length > 0 && (
        <select aria-label="Label" value={label} onChange={set("label")}>
          <option value="">Any label</option>
          {labels.value.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {isFiltered.value && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            filter.value = noFilter;
            void search("");
          }}
        >
          Clear
        </button>
      )}
      <span class="space" />
      <span class="muted result-count" aria-live="polite">
        {isFiltered.value ? plural(shown.value.length, "match").replace("matchs", "matches") : ""}
      </span>
      {canWrite.value && (
        <button type="button" class="primary" onClick={() => openNewTicket()}>
          New ticket <kbd>n</kbd>
        </button>
      )}
    </search>
  );
}
