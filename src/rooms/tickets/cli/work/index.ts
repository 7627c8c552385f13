/** One door, so that the build makes one file of it. */
export { movesFrom, statuses } from "../../model/status.ts";
export { runComplete } from "./complete.ts";
export { draftStatuses, runCreate } from "./create.ts";
export { describeTicket } from "./describe-ticket.ts";
export { runExport } from "./export.ts";
export { runImport } from "./import.ts";
export { listFilter, runList } from "./list.ts";
export { runQuestions } from "./questions.ts";
export { runShow } from "./show.ts";
export { runStatus } from "./status.ts";
