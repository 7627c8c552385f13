/** As tools name them; files write them in brackets. */
export const taskStatuses = ["pending", "in_progress", "completed", "failed"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const executionStatuses = ["running", "completed", "failed", "cancelled"] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** Which status counts if the board and a file differ: the one that is further along, or the file's. */
export const statusSources = ["furthest", "file"] as const;
export type StatusSource = (typeof statusSources)[number];

/** Maximum lengths. Those that users meet are also in docs/workbench.md. */
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
