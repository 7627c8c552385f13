/** One door, so that the build makes one file of it. */
export { allowedMoves as movesFrom, statuses } from "../../model/status.ts";
export { runExport } from "../exchange/run-export.ts";
export { runImport } from "../exchange/run-import.ts";
export { describeTicket } from "../text/describe-ticket.ts";
export { runComplete } from "./complete.ts";
export { draftStatuses, runCreate } from "./create.ts";
export { listFilter, runList } from "./list.ts";
export { runQuestions } from "./questions.ts";
export { runShow } from "./show.ts";
export { runStatus } from "./status.ts";
