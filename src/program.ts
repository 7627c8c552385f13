import { randomUUID } from "node:crypto";
import { Guard, Seal } from "./commons/guard/index.ts";
import { Leases } from "./commons/leases/index.ts";
import { Ledger } from "./commons/ledger/index.ts";
import { Trust } from "./commons/trust/index.ts";
import type { Settings } from "./config.ts";
import { describeTool } from "./hosts/mcp/catalog.ts";
import { Offer } from "./hosts/mcp/offer.ts";
import type { ToolEntry } from "./hosts/mcp/surface.ts";
import { didYouMean } from "./kernel/closest.ts";
import { ForgeError } from "./kernel/errors.ts";
import { type Caller, getPrompt, invoke, type Outcome, operate, type Runtime, readResource } from "./kernel/invoke.ts";
import { localPrincipal, type Principal } from "./kernel/principal.ts";
import type { PromptMessage } from "./kernel/prompt.ts";
import type { Redactor } from "./kernel/redact.ts";
import type { ResourceContent } from "./kernel/resource.ts";
import type { Toolset } from "./kernel/toolset.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./platform/db/database.ts";
import { withProgramName } from "./platform/db/database-url.ts";
import { Git } from "./platform/git/git.ts";
import type { Log } from "./platform/log.ts";
import { markVersion } from "./platform/marks.ts";
import type { Project } from "./platform/project.ts";
import { userName } from "./platform/user-name.ts";
import { GuideShelf } from "./rooms/tickets/guides.ts";
import { LocalTickets, LocalWork, openTicketDesk, type TicketDesk } from "./rooms/tickets/index.ts";
import type { TicketServices } from "./rooms/tickets/ports.ts";
import { toolsets } from "./toolsets.ts";
import { version } from "./version.ts";

/** Everything the rooms' tools may ask for; each names the part it needs. */
export type Services = TicketServices & {
  tickets: LocalTickets;
  work: LocalWork;
  ledger: Ledger;
  leases: Leases;
  trust: Trust;
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
};

/** The heavy half of the composition root: what calls run on. Loaded on the first call, not at start. */
export class Program {
  readonly runtime: Runtime<Services>;
  readonly toolsets = toolsets;
  readonly approvals: Guard["approvals"];
  readonly #user = userName();
  readonly #atKeyboard: boolean;
  readonly #offer = new Offer(toolsets, false);
  readonly #close: () => Promise<void>;

  constructor({ settings, project, cwd, redactor, log, atKeyboard }: ProgramOptions) {
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
    const leases = new Leases(database);
    const tickets = new LocalTickets({ database, ledger, leases });
    const work = new LocalWork();
    const guides = new GuideShelf(project.root);
    this.runtime = {
      services: { git: new Git(), cwd, ledger, leases, trust: new Trust(), guard, tickets, work, guides },
      recorder: ledger,
      noteUntrusted: guard.noteUntrusted,
      redactor,
      newId: randomUUID,
      now: () => Date.now(),
      log,
    };
    this.#close = async () => {
      await tickets.stop();
      await ledger.stop();
      await database.close();
      markVersion(project.stateDir, version);
    };
  }

  principal(agent?: string, instance?: string): Principal {
    return localPrincipal(this.#user, agent, instance);
  }

  /** A tool as clients would see it, were it listed. */
  describeTool(name: string): ToolEntry {
    return describeTool(this.#tool(name).item);
  }

  /** Calls a tool for the person at the keyboard. */
  async call(name: string, input: unknown, signal: AbortSignal, report: Report = () => {}): Promise<unknown> {
    const { toolset, item } = this.#tool(name);
    const answer = valueIn(await invoke(this.runtime, toolset, item, input, this.#caller(name, signal, report)));
    return answer.structured;
  }

  async getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<PromptMessage[]> {
    const found = this.#offer.prompt(name);
    if (!found) throw new ForgeError("NOT_FOUND", `There is no prompt named ${name}.`);
    return valueIn(await getPrompt(this.runtime, found.toolset, found.item, args, this.#caller(name, signal)));
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ResourceContent & { mimeType: string }> {
    const found = this.#offer.resource(uri);
    if (!found) throw noSuchResource(uri, this.toolsets);
    const { toolset, item, variables } = found;
    const content = valueIn(await readResource(this.runtime, toolset, item, variables, this.#caller(uri, signal)));
    return { ...content, mimeType: item.mimeType };
  }

  /** Tickets for the person at the keyboard. */
  tickets(signal: AbortSignal): TicketDesk {
    return openTicketDesk(this.runtime.services, async ({ name, effect, about }, run) => {
      const operation = { name, effect, about, toolset: "tickets", run };
      return valueIn(await operate(this.runtime, operation, this.#caller(name, signal)));
    });
  }

  #tool(name: string) {
    const found = this.#offer.tool(name);
    if (found) return found;
    const known = this.toolsets.flatMap(({ tools }) => tools.map((tool) => tool.name));
    throw new ForgeError("TOOL_NOT_FOUND", `There is no tool named "${name.slice(0, 64)}".`, {
      suggestions: [...didYouMean(name, known), "Run `forge call` to see them all."],
    });
  }

  #caller(name: string, signal: AbortSignal, report: Report = () => {}): Caller {
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

function valueIn<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "value") return outcome.value;
  if (outcome.kind === "error") throw fromBody(outcome.body);
  throw new Error("a question reached a caller that cannot be asked");
}

function noSuchResource(uri: string, toolsets: Toolset<Services>[]): ForgeError {
  const known = toolsets.flatMap(({ resources }) => resources.map((resource) => resource.uri));
  return new ForgeError("NOT_FOUND", `There is no resource at "${uri.slice(0, 64)}".`, {
    suggestions: [...didYouMean(uri, known), "Run `forge resource` to see them all."],
  });
}

function fromBody({ error, code, message, details, suggestions }: ReturnType<ForgeError["toBody"]>): ForgeError {
  return new ForgeError(code, message, {
    ...(details && { details }),
    ...(suggestions && { suggestions }),
    ...(typeof error === "string" && { label: error }),
  });
}
