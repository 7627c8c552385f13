import type { Command } from "../../../kernel/command.ts";
import type { App } from "../app.ts";
import { helpFor } from "./help.ts";
import { log } from "./log.ts";
import { mcp } from "./mcp.ts";
import { repository } from "./repository.ts";
import { toolsets } from "./toolsets.ts";
import { up } from "./up.ts";
import { version } from "./version.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command<App>[] = [up, mcp, toolsets, log, repository, version, helpFor(() => commands)];
