import { join } from "node:path";
import type { Selection, ToolsetReport } from "../../commons/cli/app.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import {
  type Catalog,
  type CatalogEntry,
  clientsWithFileToolsNames,
  estimateTokens,
  type McpLists,
  makeLists,
} from "../../hosts/mcp/lists/lists.ts";
import type { ProjectFacts } from "../../kernel/definitions/room.ts";
import { anyOf } from "../../kernel/text/closest.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { environment } from "../../platform/host/environment.ts";
import type { Project } from "../../platform/state/project.ts";
import { version } from "../../version.ts";
import { builtRooms, type RoomSet } from "../room-set.ts";
import { namedToolsets, profileNamed, toolsetNames } from "../settings/profiles.ts";

/** Names of the toolsets to choose from. */
export function builtToolsets(rooms: readonly ForgeRoom[]): string[] {
  return rooms.filter(({ fits }) => fits).map(({ name }) => name);
}

/** Rooms that cannot be chosen are always served. */
function alwaysServed(rooms: readonly ForgeRoom[]): string[] {
  return rooms.filter(({ fits }) => !fits).map(({ name }) => name);
}

type Choice = { name: string; served: boolean; reason: string; coreOnly?: true };

/** What a selection serves in a project, and what a client sees of it. */
export class ToolSelection {
  /** Names of the toolsets served. */
  readonly toolsets: string[];
  readonly lists: McpLists;
  readonly #choices: Choice[];
  readonly #readOnly: boolean;
  readonly #isAuto: boolean;
  readonly #catalog: Catalog;

  constructor(selection: Selection, project: Project, { rooms, catalog }: RoomSet = builtRooms) {
    const { serverName, exact } = profileNamed(selection.profile);
    const named = namedToolsets(selection, builtToolsets(rooms));
    this.#catalog = catalog;
    this.#isAuto = named === "auto";
    this.#choices = chooseToolsets(rooms, named, selection.profile, factsOf(project));
    this.#readOnly = selection.readOnly;
    const chosen = this.#choices.filter(({ served }) => served).map(({ name }) => name);
    this.toolsets = [...chosen, ...(exact ? [] : alwaysServed(rooms))];
    this.lists = makeLists(catalog, {
      serverName,
      version,
      toolsets: this.toolsets,
      readOnly: this.#readOnly,
      exact,
      auto: this.#isAuto,
      coreOnly: this.#choices.filter(({ coreOnly }) => coreOnly).map(({ name }) => name),
    });
  }

  report(): ToolsetReport[] {
    return this.#choices.map(({ name, served, reason }) => {
      const entry = this.#catalog.find((candidate) => candidate.name === name);
      const tools = (entry?.tools ?? []).filter((tool) => !this.#readOnly || tool.annotations.readOnlyHint);
      const listed = tools.filter((tool) => !this.#isAuto || entry?.coreTools.includes(tool.name));
      const resources = (entry?.resources.length ?? 0) + (entry?.resourceTemplates.length ?? 0);
      return {
        name,
        title: entry?.title ?? name,
        served,
        reason: `${reason}${this.#describeHidden(entry)}`,
        tools: tools.length,
        listed: listed.length,
        prompts: entry?.prompts.length ?? 0,
        resources,
        tokens: estimateTokens(listed),
      };
    });
  }

  /** What some clients are not shown of a toolset, as an addition to why it is served. */
  #describeHidden(entry: CatalogEntry | undefined): string {
    const hidden = (entry?.fileTools ?? []).filter((tool) => this.lists.leftToClients.includes(tool));
    if (hidden.length === 0) return "";
    return `; ${hidden.length} file tools hidden in clients that have their own (${anyOf(clientsWithFileToolsNames)})`;
  }
}

/** For each toolset, whether it is served and why. */
function chooseToolsets(
  rooms: readonly ForgeRoom[],
  named: "auto" | "all" | string[],
  profile: string | undefined,
  facts: ProjectFacts,
): Choice[] {
  const names = [...toolsetNames, ...builtToolsets(rooms).filter((name) => !toolsetNames.includes(name))];
  return names.map((name) => {
    const room = rooms.find((candidate) => candidate.name === name);
    if (!room?.fits) return { name, served: false, reason: "not built yet" };
    if (named === "all") return { name, served: true, reason: "all toolsets were asked for" };
    if (named === "auto") {
      const { fits, why, coreOnly } = room.fits(facts);
      return { name, served: fits, reason: why, ...(coreOnly && { coreOnly }) };
    }
    const served = named.includes(name);
    if (profile !== undefined) return { name, served, reason: `${served ? "" : "not "}in the profile ${profile}` };
    return { name, served, reason: served ? "asked for by name" : "not asked for" };
  });
}

/** A few looks at the project's folder; what `--toolsets auto` decides by. */
function factsOf({ root, inGit }: Project): ProjectFacts {
  return {
    inGit,
    has: (path) => entryAt(join(root, path)) !== undefined,
    isSet: (variable) => environment[variable] !== undefined,
  };
}
