import type { App } from "../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../kernel/definitions/command.ts";
import { assign } from "./assign.ts";
import { execute } from "./at-work/execute.ts";
import { review } from "./at-work/review.ts";
import { claim, release } from "./claim.ts";
import { comment } from "./comment.ts";
import { complete } from "./complete.ts";
import { create } from "./create.ts";
import { edit } from "./editing/edit.ts";
import { exportTickets } from "./exchange/export.ts";
import { importTickets } from "./exchange/import.ts";
import { pushLocal } from "./exchange/push-local.ts";
import { list } from "./list.ts";
import { next } from "./next.ts";
import { questions } from "./questions.ts";
import { repository } from "./repository.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";

const ticket = defineGroup<App>({
  name: "ticket",
  summary: "Work with tickets",
  examples: [
    ["forge ticket list", "Same as `forge list`."],
    ["forge ticket status T-001 ready", "Same as `forge status T-001 ready`."],
  ],
  group: "tickets",
});

/** In the order of the help. */
export const commands: Command<App>[] = [
  list,
  next,
  show,
  create,
  edit,
  execute,
  review,
  status,
  assign,
  comment,
  questions,
  complete,
  claim,
  release,
  importTickets,
  exportTickets,
  pushLocal,
  repository,
  ticket,
];
