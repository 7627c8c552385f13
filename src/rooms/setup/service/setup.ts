import { formatUnifiedDiff } from "../../../commons/diff/unified-diff.ts";
import type { Action } from "../../../kernel/action.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Redactor } from "../../../kernel/text/redactor.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { deleteConfig, readConfig, writeConfig } from "../../../platform/state/config-file.ts";
import { dropUnusedStateFolder, makeStateFolder } from "../../../platform/state/state-folder.ts";
import { clients } from "../clients/clients.ts";
import { type Launch, launchFor } from "../clients/launch.ts";
import { findConfigPlace, nameOf, type Surroundings, scopeOf, signOf } from "../clients/surroundings.ts";
import { partlyApplied, stateFolderInUse } from "../errors.ts";
import type { Draft } from "./draft.ts";
import { Plan } from "./plan.ts";
import type { SetupRequest } from "./request.ts";

/** A client that seems to be used here. */
export type FoundClient = { id: string; title: string; file: string; isOutside: boolean; sign: string };

/** What would be, or was, done to one file. */
export type FileChange = { file: string; action: "create" | "change" | "delete"; reasons: string[]; diff: string };

export type SetupPlan = {
  changes: FileChange[];
  /** What the user should know beside the changes. */
  remarks: Action[];
  /** What is left to do in each client that was set up. */
  nextSteps: { client: string; step: string }[];
  /** Writes all changes. */
  apply(): Promise<void>;
};

/** Connects assistants to a project, and disconnects them. */
export class Setup {
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Every client that can be set up. */
  listKnown(): { id: string; title: string }[] {
    return clients.map(({ id, title }) => ({ id, title }));
  }

  /** How this copy of Forge is started for a project, from any folder. */
  launch(project: string): Launch {
    const wish = { isShared: false, npx: false, isNpxAsked: false, withoutPath: false, project };
    return launchFor(this.#surroundings, wish);
  }

  /** Clients that are found in the project, in the user's home or on the search path. */
  find(): FoundClient[] {
    return clients.flatMap((client) => {
      const sign = signOf(this.#surroundings, client);
      const file = client.files[scopeOf(client, undefined) ?? "user"];
      if (sign === undefined || !file) return [];
      const place = findConfigPlace(this.#surroundings, file);
      const name = nameOf(this.#surroundings, place);
      return [{ id: client.id, title: client.title, file: name, isOutside: place.owner === "person", sign }];
    });
  }

  /** Throws if any of the files cannot be understood. Nothing is written before `apply`. */
  plan(request: SetupRequest): SetupPlan {
    const plan = new Plan(this.#surroundings);
    plan.setUp(request);
    this.#requireStateFolder();
    return describePlan(plan, () => makeStateFolder(this.#surroundings.stateDir));
  }

  planRemoval(request: SetupRequest): SetupPlan {
    const plan = new Plan(this.#surroundings);
    plan.takeBack(request);
    return describePlan(plan, undefined, () => dropUnusedStateFolder(this.#surroundings.stateDir));
  }

  #requireStateFolder(): void {
    const entry = entryAt(this.#surroundings.stateDir);
    if (!entry || entry.isDirectory()) return;
    throw stateFolderInUse(this.#surroundings.stateDir);
  }
}

function describePlan(plan: Plan, before?: () => void, after?: () => void): SetupPlan {
  return {
    changes: plan.changes.map(describeChange),
    remarks: plan.remarks,
    nextSteps: plan.clients.map(({ title, nextStep }) => ({ client: title, step: nextStep })),
    async apply() {
      before?.();
      await applyAll(plan);
      after?.();
    },
  };
}

function describeChange({ name, found, text, reasons }: Draft): FileChange {
  const action = found.text === undefined ? "create" : text === undefined ? "delete" : "change";
  // The lines around a change may contain a token.
  return { file: name, action, reasons, diff: new Redactor().text(formatUnifiedDiff(name, found.text, text)) };
}

/** One file after the other. A failure says which files were written and which were not. */
async function applyAll(plan: Plan): Promise<void> {
  const { changes } = plan;
  const done: Draft[] = [];
  try {
    for (const draft of changes) {
      await write(draft);
      done.push(draft);
    }
  } catch (error) {
    await plan.remember(done);
    throw explainFailure(error, done, changes.slice(done.length));
  }
  await plan.remember(done);
}

/** Another run at the same time may have done the same already. */
async function write(draft: Draft): Promise<void> {
  const { place, found, text, earlier } = draft;
  try {
    if (text === undefined) await deleteConfig(place, found, earlier?.createdFolders ?? []);
    else await writeConfig(place, found, text);
  } catch (error) {
    if (readConfig(place).text !== text) throw error;
  }
}

function explainFailure(error: unknown, done: Draft[], left: Draft[]): unknown {
  if (!(error instanceof ForgeError)) return error;
  const names = (drafts: Draft[]) => drafts.map(({ name }) => name);
  return partlyApplied(error, names(done), names(left));
}
