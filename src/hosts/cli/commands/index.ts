import type { Command } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
import { invite } from "./access/invite.ts";
import { login } from "./access/login.ts";
import { logout } from "./access/logout.ts";
import { pushLocal } from "./access/push-local.ts";
import { resetPassword } from "./access/reset-password.ts";
import { serve } from "./access/serve.ts";
import { team } from "./access/team.ts";
import { token } from "./access/token.ts";
import { whoami } from "./access/whoami.ts";
import { approve } from "./approve.ts";
import { call } from "./call.ts";
import { completion } from "./completion.ts";
import { doctor } from "./doctor.ts";
import { helpFor } from "./help.ts";
import { init } from "./init.ts";
import { log } from "./log.ts";
import { mcp } from "./mcp.ts";
import { prompt } from "./prompt.ts";
import { repository } from "./repository.ts";
import { resource } from "./resource.ts";
import { shellCompleteFor } from "./shell-complete.ts";
import { status } from "./status.ts";
import { assign } from "./tickets/assign.ts";
import { complete } from "./tickets/complete.ts";
import { create } from "./tickets/create.ts";
import { edit } from "./tickets/edit.ts";
import { execute } from "./tickets/execute.ts";
import { exportTickets } from "./tickets/export.ts";
import { importTickets } from "./tickets/import.ts";
import { list } from "./tickets/list.ts";
import { questions } from "./tickets/questions.ts";
import { review } from "./tickets/review.ts";
import { show } from "./tickets/show.ts";
import { toolsets } from "./toolsets.ts";
import { trust } from "./trust.ts";
import { untrust } from "./untrust.ts";
import { up } from "./up.ts";
import { updateCheck } from "./update-check.ts";
import { version } from "./version.ts";
import { block } from "./workbench/block.ts";
import { run } from "./workbench/run.ts";
import { task } from "./workbench/task.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command<App>[] = [
  init,
  up,
  mcp,
  toolsets,
  doctor,
  list,
  show,
  create,
  edit,
  execute,
  review,
  assign,
  questions,
  complete,
  importTickets,
  exportTickets,
  block,
  task,
  run,
  status,
  log,
  repository,
  login,
  logout,
  whoami,
  invite,
  resetPassword,
  team,
  token,
  pushLocal,
  serve,
  call,
  prompt,
  resource,
  trust,
  untrust,
  approve,
  completion,
  updateCheck,
  version,
  helpFor(() => commands),
  shellCompleteFor(() => commands),
];
