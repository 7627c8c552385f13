/** The fields of a task as options. */
export const taskFieldOptions = {
  description: { help: "What to do." },
  acceptance_criteria: {
    flag: "criterion",
    help: "What must be true when it is done: one sentence that can be checked.",
  },
  dependencies: { flag: "depends-on", value: "REF", help: "What it waits for: a task's id, BLOCK/TASK, or a block." },
  files_affected: { flag: "file", value: "PATH", path: "file", help: "A file that it changes." },
  function_signatures: { flag: "signature", help: "A function that it adds." },
  testing_requirements: { flag: "test", help: "What to test." },
  estimated_effort: { flag: "effort", help: "Estimated effort, in any words." },
  ticket_id: { flag: "ticket", value: "ID", help: "The ticket that it belongs to." },
} as const;
