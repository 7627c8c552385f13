/** As they go over the wire; files write them in brackets. */
export const taskStatuses = ["pending", "in_progress", "completed", "failed"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const executionStatuses = ["running", "completed", "failed", "cancelled"] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** Whose statuses count where the board and a file differ: the one that is further along, or the file's. */
export const statusSources = ["furthest", "file"] as const;
export type StatusSource = (typeof statusSources)[number];

/** How long things may be. A number that users meet stands in docs/workbench.md too. */
export const limits = {
  id: 100,
  name: 300,
  text: 100_000,
  line: 2_000,
  list: 500,
  path: 1_024,
  message: 20_000,
  /** One block or task as JSON. */
  document: 1_000_000,
  page: 500,
} as const;
