import { facts } from "../data/start.ts";
import type { HistoryEntry, LedgerEntry } from "../data/types.ts";
import { Time } from "../parts/marks.tsx";
import { duration } from "../parts/words.ts";

/** What happened to a ticket, newest first, and what is happening now. */
export function History({ entries, live }: { entries: HistoryEntry[]; live: readonly LedgerEntry[] }) {
  const calls = live.filter(({ effect }) => effect === "read" || effect === "act").toReversed();
  return (
    <section>
      <h2>Activity</h2>
      <ul class="history" aria-live="polite">
        {calls.map(({ id, at, name, agent, principal, outcome, durationMs }) => (
          <li key={id} class="live">
            <b>{agent ?? principal}</b> {outcome === "open" ? "is running" : "called"} <code>{name}</code>{" "}
            {outcome !== "open" && outcome !== "ok" && <span class="removed">{outcome}</span>}{" "}
            <span class="muted">
              {outcome !== "open" && duration(durationMs)} <Time at={at} />
            </span>
          </li>
        ))}
        {entries.toReversed().map((entry, index) => (
          <li key={`${entry.at}-${index}`}>
            <b>{entry.by}</b>
            {entry.agent !== undefined && entry.agent !== "board" && <span class="muted"> ({entry.agent})</span>}{" "}
            {describe(entry)}{" "}
            <span class="muted">
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const verbs: Record<string, string> = {
  created: "created this ticket",
  imported: "imported this ticket",
  started: "started work",
  claimed: "claimed it",
  released: "released it",
  questions: "asked questions",
  answers: "answered questions",
  dismissed: "dismissed a question",
  completed: "completed it",
  corrected: "corrected the record",
  comment: "commented",
  work: "worked on it",
  check: "added a check",
  look: "looked at what a check names",
  verified: "verified it",
  waived: "waived a criterion",
};

function describe({ kind, details }: HistoryEntry): string {
  const name = (status: unknown) => facts.value?.statusNames[String(status)] ?? String(status);
  if (kind === "status") return `moved it from ${name(details["from"])} to ${name(details["to"])}`;
  if (kind === "assigned") {
    const to = details["to"] ?? details["assignee"];
    return to === null || to === undefined ? "unassigned it" : `assigned it to ${String(to)}`;
  }
  if (kind === "updated") {
    const former = details["former"];
    const fields = former && typeof former === "object" ? Object.keys(former) : [];
    return fields.length > 0 ? `changed ${fields.join(", ")}` : "changed it";
  }
  return verbs[kind] ?? kind;
}
