import type { Command } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
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
import { toolsets } from "./toolsets.ts";
import { trust } from "./trust.ts";
import { untrust } from "./untrust.ts";
import { up } from "./up.ts";
import { updateCheck } from "./update-check.ts";
import { version } from "./version.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command<App>[] = [
  init,
  up,
  mcp,
  toolsets,
  doctor,
  status,
  log,
  repository,
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
