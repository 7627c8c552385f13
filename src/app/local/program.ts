import { randomUUID } from "node:crypto";
import { Guard, Seal } from "../../commons/guard/index.ts";
import { Leases } from "../../commons/leases/index.ts";
import { Ledger } from "../../commons/ledger/ledger.ts";
import { Relay } from "../../commons/ledger/team/relay.ts";
import { Untold } from "../../commons/ledger/team/untold.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Caller, Outcome, Runtime } from "../../kernel/invoke.ts";
import { operate } from "../../kernel/operate.ts";
import { localPrincipal, type Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/redact.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { withProgramName } from "../../platform/db/postgres/database-url.ts";
import { Git } from "../../platform/git/git.ts";
import { userName } from "../../platform/host/user-name.ts";
import type { Log } from "../../platform/log.ts";
import { markVersion } from "../../platform/state/marks.ts";
import type { Project } from "../../platform/state/project.ts";
import type { TicketDesk } from "../../rooms/tickets/cli/desk.ts";
import { openTicketDesk } from "../../rooms/tickets/cli/ticket-desk.ts";
import { GuideShelf } from "../../rooms/tickets/service/guides.ts";
import type { HeldTickets, TicketServices } from "../../rooms/tickets/service/ports.ts";
import { LocalTickets } from "../../rooms/tickets/service/tickets.ts";
import { LocalWork } from "../../rooms/tickets/service/work-at-hand.ts";
import type { LocalBoard } from "../../rooms/workbench/board/board.ts";
import type { WorkbenchDesk } from "../../rooms/workbench/cli/desk.ts";
import { openWorkbenchDesk } from "../../rooms/workbench/cli/desk-operations.ts";
import type { WorkbenchServices } from "../../rooms/workbench/model/ports.ts";
import { openWorkbench } from "../../rooms/workbench/open.ts";
import { version } from "../../version.ts";
import { migrations } from "../migrations.ts";
import type { Settings } from "../settings/config.ts";
import type { TeamTickets } from "./team-tickets.ts";

/** Everything the rooms' tools may ask for; each names the part it needs. */
export type Services = TicketServices &
  WorkbenchServices & {
    tickets: HeldTickets;
    board: LocalBoard;
    work: LocalWork;
    ledger: Ledger;
    leases: Leases;
    /** Approving is not among it: that is a person's. */
    guard: Pick<Guard, "require" | "hasReadUntrusted">;
  };

/** The newest schema that this program knows. */
export const schemaSteps = migrations.length;

type Report = Caller["report"];

export type ProgramOptions = {
  settings: Settings;
  project: Project;
  cwd: string;
  redactor: Redactor;
  log: Log;
  /** A person at a terminal gives the commands; without one it may be an assistant's shell. */
  atKeyboard: boolean;
  /** Tickets on a team's server and the person's name there, where they work with one; else tickets are the project's own. */
  team?: TeamTickets | undefined;
};

/** What calls run on. Loaded on the first call, not at start, and without the tools and their schemas: commands need none. */
export class Program {
  readonly runtime: Runtime<Services>;
  readonly approvals: Guard["approvals"];
  readonly #user: string;
  readonly #atKeyboard: boolean;
  readonly #close: () => Promise<void>;

  constructor({ settings, project, cwd, redactor, log, atKeyboard, team }: ProgramOptions) {
    const place = settings.databaseUrl
      ? { url: withProgramName(settings.databaseUrl, `forge/${version}`) }
      : { file: project.databaseFile };
    markVersion(project.stateDir, version);
    const database = openDatabase(place, migrations);
    const ledger = new Ledger({ database, redactor, log, retentionDays: settings.ledgerDays });
    const seal = settings.databaseUrl ? new Seal(undefined) : Seal.ofUser();
    const guard = new Guard({ database, redactor, seal });
    this.approvals = guard.approvals;
    this.#atKeyboard = atKeyboard;
    this.#user = team?.name ?? userName();
    const leases = new Leases(database);
    const tickets = team?.tickets ?? new LocalTickets({ database, ledger, leases });
    const work = new LocalWork();
    const guides = new GuideShelf(project.root);
    const git = new Git();
    const workbench = openWorkbench({ database, ledger, leases, git, projectRoot: project.root, log });
    const relay = team && new Relay({ ledger, untold: new Untold(database, team.recipient), send: team.tell, log });
    const recorder = relay ?? ledger;
    this.runtime = {
      services: { git, cwd, ledger, leases, guard, tickets, work, guides, redactor, ...workbench.services },
      recorder,
      noteUntrusted: guard.noteUntrusted,
      redactor,
      newId: randomUUID,
      now: () => Date.now(),
      log,
    };
    this.#close = async () => {
      await relay?.stop();
      await tickets.stop();
      await workbench.stop();
      await ledger.stop();
      await database.close();
      markVersion(project.stateDir, version);
    };
  }

  principal(agent?: string, instance?: string): Principal {
    return localPrincipal(this.#user, agent, instance);
  }

  /** Tickets for the person at the keyboard. */
  tickets(signal: AbortSignal): TicketDesk {
    return openTicketDesk(this.runtime.services, async ({ name, effect, about }, run) => {
      const operation = { name, effect, about, toolset: "tickets", run };
      return valueIn(await operate(this.runtime, operation, this.caller(name, signal)));
    });
  }

  /** Blocks, tasks and their executions for the person at the keyboard. */
  workbench(signal: AbortSignal): WorkbenchDesk {
    return openWorkbenchDesk(this.runtime.services, async ({ report, ...deed }, run) => {
      const operation = { ...deed, toolset: "workbench", run };
      // What a tool logs for an assistant's client, the command's answer says itself.
      const caller = { ...this.caller(deed.name, signal, report), log: () => {} };
      return valueIn(await operate(this.runtime, operation, caller));
    });
  }

  /** The person who gives a command. */
  caller(name: string, signal: AbortSignal, report: Report = () => {}): Caller {
    return {
      principal: this.#atKeyboard ? { ...this.principal("forge"), atKeyboard: true } : this.principal(),
      signal,
      report,
      log: (level, message) => this.runtime.log(level, message),
      canAsk: () => false,
      ask: () => Promise.reject(new ForgeError("VALIDATION_ERROR", `${name} asks questions, which a command cannot.`)),
    };
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** The value of a call that was made for a command; throws what it failed with. */
export function valueIn<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "value") return outcome.value;
  if (outcome.kind === "error") throw fromBody(outcome.body);
  throw new Error("a question reached a caller that cannot be asked");
}

function fromBody({ error, code, message, details, suggestions }: ReturnType<ForgeError["toBody"]>): ForgeError {
  return new ForgeError(code, message, {
    ...(details && { details }),
    ...(suggestions && { suggestions }),
    ...(typeof error === "string" && { label: error }),
  });
}
