import { allowedMoves, type Status, statuses } from "./status.ts";

/** A column of the board. */
type Column = {
  id: string;
  title: string;
  statuses: readonly Status[];
  /** The status of a ticket that is dropped there; undefined where nothing can be dropped. */
  drop?: Status;
  /** Shown as a line that opens on demand. */
  folded?: true;
};

/** In the order of the board. Archived tickets are in none of them. */
const columns: readonly Column[] = [
  { id: "drafts", title: "Drafts", statuses: ["DRAFT"], drop: "DRAFT", folded: true },
  {
    id: "questions",
    title: "Questions",
    statuses: ["IN_QUESTION_ROUND_1", "IN_QUESTION_ROUND_2", "IN_QUESTION_ROUND_3", "QUESTIONS_COMPLETE"],
    folded: true,
  },
  { id: "todo", title: "To do", statuses: ["VALIDATED", "WAITING_FOR_APPROVAL", "READY"], drop: "READY" },
  { id: "progress", title: "In progress", statuses: ["CREATED", "DRIFTED"], drop: "CREATED" },
  { id: "done", title: "Done", statuses: ["COMPLETE"], drop: "COMPLETE" },
];

/** How people read a status. */
const statusNames: Record<Status, string> = {
  DRAFT: "Draft",
  IN_QUESTION_ROUND_1: "Questions, round 1",
  IN_QUESTION_ROUND_2: "Questions, round 2",
  IN_QUESTION_ROUND_3: "Questions, round 3",
  QUESTIONS_COMPLETE: "Questions answered",
  VALIDATED: "Validated",
  WAITING_FOR_APPROVAL: "Waiting for approval",
  READY: "Ready",
  CREATED: "In progress",
  DRIFTED: "Drifted",
  COMPLETE: "Done",
  ARCHIVED: "Archived",
};

/**
 * Everything that a page needs to show tickets as a board, and to show beforehand where each can go. `words` are the project's
 * own for some statuses; a column has the word of the status that is set there.
 */
export function describeBoard(words: Partial<Record<Status, string>> = {}) {
  return {
    columns: columns.map(({ title, ...column }) => ({
      ...column,
      title: (column.drop && words[column.drop]) ?? title,
    })),
    statusNames: { ...statusNames, ...words },
    moves: Object.fromEntries(statuses.map((status) => [status, allowedMoves(status, undefined)])),
  };
}
