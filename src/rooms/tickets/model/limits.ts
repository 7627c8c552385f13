/** The limits and words of tickets, apart from the schemas that use them, so that rules and commands load no zod. */

/** How much a ticket can hold; documented in docs/tickets.md. */
export const limits = {
  /** Characters of the complete ticket as JSON. */
  ticket: 1_048_576,
  title: 300,
  text: 262_144,
  line: 10_000,
  items: 500,
  path: 4_096,
  name: 200,
  questions: 50,
  label: 60,
  labels: 50,
  /** Files that were changed already when work on a ticket started. */
  changedBefore: 2_000,
  /** Executions; the latest count. */
  work: 200,
  comments: 500,
  /** Criteria that were removed or reworded. */
  dropped: 200,
};

/** Excludes paths, URLs and queries, so that an id always names a single ticket. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Whether one of the ids can be words: an imported ticket keeps the id that its file has. */
export function hasChosenId(ids: readonly string[]): boolean {
  return ids.some((id) => !/^T-\d+$/i.test(id));
}

/** Safe in lists, queries and shells. */
export const labelPattern = /^[^\s"',\\%]+$/u;

export const priorities = ["low", "medium", "high", "urgent"] as const;
export const ticketTypes = ["feature", "bug", "task"] as const;
export const fileActions = ["create", "modify", "delete"] as const;
export const questionCategories = ["scope", "acceptance", "technical", "intent", "risk"] as const;
export const ticketFormats = ["json", "xml", "markdown"] as const;
export type TicketFormat = (typeof ticketFormats)[number];
