import type { Style } from "../../../../kernel/definitions/command.ts";
import type { Status } from "../../model/status.ts";

/** Green is ready or done, cyan is in progress, yellow waits for a person. */
export const statusColours: Record<Status, keyof Style> = {
  DRAFT: "dim",
  IN_QUESTION_ROUND_1: "yellow",
  IN_QUESTION_ROUND_2: "yellow",
  IN_QUESTION_ROUND_3: "yellow",
  QUESTIONS_COMPLETE: "yellow",
  VALIDATED: "green",
  WAITING_FOR_APPROVAL: "yellow",
  READY: "green",
  CREATED: "cyan",
  DRIFTED: "red",
  COMPLETE: "green",
  ARCHIVED: "dim",
};
