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
