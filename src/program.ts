import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { Ledger, ledgerMigrations } from "./commons/ledger/index.ts";
import type { Settings } from "./config.ts";
import { ForgeError } from "./kernel/errors.ts";
import { invoke, type Runtime } from "./kernel/invoke.ts";
import { localPrincipal, type Principal } from "./kernel/principal.ts";
import type { Redactor } from "./kernel/redact.ts";
import { openDatabase } from "./platform/db/database.ts";
import { Git } from "./platform/git/git.ts";
import type { Log } from "./platform/log.ts";
import type { Project } from "./platform/project.ts";
import type { RepositoryServices } from "./rooms/tickets/ports.ts";
import { toolsets } from "./toolsets.ts";

/** Everything the rooms' tools may ask for; each names the part it needs. */
export type Services = RepositoryServices & { ledger: Ledger };

export type ProgramOptions = { settings: Settings; project: Project; cwd: string; redactor: Redactor; log: Log };

/** The heavy half of the composition root: what calls run on. Loaded on the first call, not at start. */
export class Program {
  readonly runtime: Runtime<Services>;
  readonly toolsets = toolsets;
  readonly #user = userName();
  readonly #close: () => Promise<void>;

  constructor({ settings, project, cwd, redactor, log }: ProgramOptions) {
    const place = settings.databaseUrl ? { url: settings.databaseUrl } : { file: project.databaseFile };
    const database = openDatabase(place, ledgerMigrations);
    const ledger = new Ledger({ database, redactor, log, retentionDays: settings.ledgerDays });
    this.runtime = {
      services: { git: new Git(), cwd, ledger },
      recorder: ledger,
      redactor,
      newId: randomUUID,
      now: () => Date.now(),
      log,
    };
    this.#close = async () => {
      await ledger.stop();
      await database.close();
    };
  }

  principal(agent?: string): Principal {
    return localPrincipal(this.#user, agent);
  }

  /** Calls a tool for the person at the keyboard. */
  async call(name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    for (const { name: toolset, tools } of this.toolsets) {
      const tool = tools.find((candidate) => candidate.name === name);
      if (!tool) continue;
      const outcome = await invoke(this.runtime, toolset, tool, input, {
        principal: this.principal("forge"),
        signal,
        report: () => {},
        log: (level, message) => this.runtime.log(level, message),
        canAsk: () => false,
        ask: () =>
          Promise.reject(new ForgeError("VALIDATION_ERROR", `${name} asks questions, which a command cannot.`)),
      });
      if (outcome.kind === "value") return outcome.value.structured;
      if (outcome.kind === "error") throw fromBody(outcome.body);
    }
    throw new ForgeError("TOOL_NOT_FOUND", `There is no tool named ${name}.`);
  }

  close(): Promise<void> {
    return this.#close();
  }
}

function fromBody({ error, code, message, details, suggestions }: ReturnType<ForgeError["toBody"]>): ForgeError {
  return new ForgeError(code, message, {
    ...(details && { details }),
    ...(suggestions && { suggestions }),
    ...(typeof error === "string" && { label: error }),
  });
}

/** The system may know no name for us, as in a container that runs under a bare number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
