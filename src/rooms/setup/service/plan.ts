import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Action } from "../../../kernel/action.ts";
import type { ConfigPlace } from "../../../platform/state/config-file.ts";
import { type Client, type ClientFile, clients, type Scope } from "../clients/clients.ts";
import { EntryFile } from "../clients/entry-format.ts";
import { type LaunchWish, launchFor } from "../clients/launch.ts";
import { dropBlock, dropWhole, putBlock, putImport, putWhole } from "../clients/notes.ts";
import { dropEntry, putEntry, type Remark, serverName } from "../clients/server-entry.ts";
import { findConfigPlace, nameOf, type Surroundings, scopeOf, signOf } from "../clients/surroundings.ts";
import { agentsBlock, claudeBlock, skill } from "../clients/texts.ts";
import { scopeNotSupported } from "../errors.ts";
import { Draft } from "./draft.ts";
import { SetupRecord } from "./record.ts";
import { clientNamed, type SetupRequest } from "./request.ts";

const skillFiles = [".agents/skills/forge/SKILL.md", ".claude/skills/forge/SKILL.md"];
const everyone = "all assistants";
const notOnPath = "`forge` is not on your PATH yet. Run `npm link` in Forge's folder to put it there.";

/** A client with the file it is set up by. */
export type Choice = { client: Client; scope: Scope; file: ClientFile; place: ConfigPlace; name: string };

/** Everything that one run would change, worked out before anything is written. */
export class Plan {
  readonly drafts: Draft[] = [];
  readonly remarks: Action[] = [];
  /** Clients whose files change. */
  readonly clients: Client[] = [];
  readonly #surroundings: Surroundings;
  readonly #records: Record<ConfigPlace["owner"], SetupRecord>;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    const { stateDir, home } = surroundings;
    this.#records = {
      project: new SetupRecord({
        ...{ base: dirname(stateDir), path: `${basename(stateDir)}/init.json` },
        ...{ owner: "project", mayBeLinked: false },
      }),
      person: new SetupRecord({ base: home, path: ".forge/init.json", owner: "person" }),
    };
  }

  get changes(): Draft[] {
    return this.drafts.filter((draft) => draft.isChanged);
  }

  setUp(request: SetupRequest): void {
    for (const choice of this.#chooseClients(request)) {
      const wish = this.#wishOf(choice, request.npx);
      const launch = launchFor(this.#surroundings, wish);
      const draft = this.#draft(choice.place, choice.client.title);
      this.#remark(putEntry(draft, { file: choice.file, launch, wish }));
      if (draft.isChanged) this.clients.push(choice.client);
      if (draft.isChanged && wish.isShared && !wish.npx && !this.#surroundings.nameOnPath) this.#remark(notOnPath);
    }
    if (request.agentsMd) putBlock(this.#projectFile("AGENTS.md", everyone), agentsBlock);
    if (request.claudeMd) this.#putClaudeImport();
    if (request.skill)
      for (const path of skillFiles) this.#remark(putWhole(this.#projectFile(path, "the skill"), skill));
  }

  /** From every client's file in the project, and from those of the user's own files that were asked for. */
  takeBack(request: SetupRequest): void {
    const named = request.clients?.map(clientNamed);
    for (const client of named ?? clients) {
      for (const choice of this.#choicesOf(client, request.scope)) {
        if (choice.scope === "user" && !named && request.scope === undefined && !request.outside) this.#mention(choice);
        else this.#drop(choice);
      }
    }
    if (named) return;
    dropBlock(this.#projectFile("AGENTS.md", everyone), `${agentsBlock}\n`);
    dropBlock(this.#projectFile("CLAUDE.md", "Claude Code"), `${claudeBlock}\n`);
    for (const path of skillFiles) this.#remark(dropWhole(this.#projectFile(path, "the skill"), skill));
  }

  /** Records what was done, so that it can be undone. */
  async remember(done: readonly Draft[]): Promise<void> {
    for (const draft of done) this.#records[draft.place.owner].set(draft.name, draft.made);
    await this.#records.project.save();
    await this.#records.person.save();
  }

  #chooseClients({ clients: ids, scope, outside }: SetupRequest): Choice[] {
    if (ids)
      return ids
        .map(clientNamed)
        .map(
          (client) =>
            this.#choice(client, scope) ??
            refuse(scopeNotSupported(client.title, scope ?? "user", Object.keys(client.files))),
        );
    const found = clients.filter((client) => signOf(this.#surroundings, client) !== undefined);
    return found.flatMap((client) => {
      const choice = this.#choice(client, scope);
      if (!choice) return [];
      if (choice.scope === "project" || scope === "user" || outside) return [choice];
      if (this.#records.person.get(choice.name)) return [];
      const why = `to set up ${client.title} in ${choice.name}, outside this project`;
      this.#remark({ command: `init --client ${client.id}`, why });
      return [];
    });
  }

  #choice(client: Client, wanted: Scope | undefined): Choice | undefined {
    const scope = scopeOf(client, wanted);
    const file = scope && client.files[scope];
    if (!scope || !file) return undefined;
    const place = findConfigPlace(this.#surroundings, file);
    return { client, scope, file, place, name: nameOf(this.#surroundings, place) };
  }

  #choicesOf(client: Client, scope: Scope | undefined): Choice[] {
    const scopes: Scope[] = scope ? [scope] : ["project", "user"];
    return scopes.flatMap((one) => (client.files[one] ? (this.#choice(client, one) ?? []) : []));
  }

  #wishOf({ client, scope }: Pick<Choice, "client" | "scope">, npx: boolean): LaunchWish {
    const isShared = scope === "project";
    const project = client.needsProject ? this.#surroundings.root : undefined;
    const isByNpx = npx || this.#surroundings.isFromNpx;
    return { isShared, npx: isByNpx, isNpxAsked: npx, withoutPath: client.withoutPath ?? false, project };
  }

  #drop(choice: Choice): void {
    const draft = this.#draft(choice.place, choice.client.title);
    this.#remark(dropEntry(draft, choice.file, this.#freshText(choice)));
  }

  /** What a first run in an empty project writes; such a file is deleted, also if somebody else created it. */
  #freshText({ client, file, name, scope }: Choice): string {
    const launch = launchFor(this.#surroundings, this.#wishOf({ client, scope }, false));
    return new EntryFile(file.format, name, { key: file.key, name: serverName }).add("", file.entry(launch)).text;
  }

  /** The user's own files are left alone by default, but they should know that Forge is still in one. */
  #mention(choice: Choice): void {
    if (!this.#records.person.get(choice.name)) return;
    const why = `to remove Forge from ${choice.name}, outside this project`;
    this.#remark({ command: `init --remove --client ${choice.client.id}`, why });
  }

  /** CLAUDE.md may be AGENTS.md under another name. */
  #putClaudeImport(): void {
    const draft = this.#projectFile("CLAUDE.md", "Claude Code");
    if (draft !== this.#projectFile("AGENTS.md", everyone)) putImport(draft, claudeBlock);
  }

  #projectFile(path: string, reason: string): Draft {
    return this.#draft({ base: this.#surroundings.root, path, owner: "project" }, reason);
  }

  /** Two clients may share a file, and two names may lead to the same one. */
  #draft(place: ConfigPlace, reason: string): Draft {
    const name = nameOf(this.#surroundings, place);
    const fresh = new Draft(name, place, this.#records[place.owner].get(name));
    const known = this.drafts.find(({ found }) => found.realPath === fresh.found.realPath);
    const draft = known ?? fresh;
    if (!known) this.drafts.push(draft);
    if (!draft.reasons.includes(reason)) draft.reasons.push(reason);
    return draft;
  }

  #remark(remark: Remark): void {
    const isNew = !this.remarks.some((known) => isDeepStrictEqual(known, remark));
    if (remark !== undefined && isNew) this.remarks.push(remark);
  }
}

function refuse(error: Error): never {
  throw error;
}
