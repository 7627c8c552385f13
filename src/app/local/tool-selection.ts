import { join } from "node:path";
import type { Selection, ToolsetReport } from "../../commons/cli/app.ts";
import {
  type CatalogEntry,
  listsOf,
  type McpLists,
  namesOfClientsWithFileTools,
  tokensOf,
} from "../../hosts/mcp/lists.ts";
import { anyOf } from "../../kernel/closest.ts";
import type { ProjectFacts } from "../../kernel/room.ts";
import { entryAt } from "../../platform/files/entry.ts";
import { environment } from "../../platform/host/env.ts";
import type { Project } from "../../platform/state/project.ts";
import { rooms } from "../../rooms.ts";
import { version } from "../../version.ts";
import { catalog } from "../catalog.ts";
import { namedToolsets, profileNamed, toolsetNames } from "../settings/profiles.ts";

/** Toolsets that exist in this version; a room that has nothing to choose is always there. */
export const builtToolsets: readonly string[] = rooms.filter(({ fits }) => fits).map(({ name }) => name);
const always = rooms.filter(({ fits, resources, tools }) => !fits && (resources || tools)).map(({ name }) => name);

type Choice = { name: string; served: boolean; reason: string };

/** What a selection serves in a project, and what a client sees of it. */
export class ToolSelection {
  /** Names of the toolsets served. */
  readonly toolsets: string[];
  readonly lists: McpLists;
  readonly #choices: Choice[];
  readonly #readOnly: boolean;
  readonly #isAuto: boolean;

  constructor(selection: Selection, project: Project) {
    const { serverName, exact } = profileNamed(selection.profile);
    const named = namedToolsets(selection, builtToolsets);
    this.#isAuto = named === "auto";
    this.#choices = chooseToolsets(named, selection.profile, factsOf(project));
    this.#readOnly = selection.readOnly;
    const chosen = this.#choices.filter(({ served }) => served).map(({ name }) => name);
    this.toolsets = [...chosen, ...(exact ? [] : always)];
    this.lists = listsOf(catalog, {
      serverName,
      version,
      toolsets: this.toolsets,
      readOnly: this.#readOnly,
      auto: this.#isAuto,
    });
  }

  report(): ToolsetReport[] {
    return this.#choices.map(({ name, served, reason }) => {
      const entry = catalog.find((candidate) => candidate.name === name);
      const tools = (entry?.tools ?? []).filter((tool) => !this.#readOnly || tool.annotations.readOnlyHint);
      const listed = tools.filter((tool) => !this.#isAuto || entry?.coreTools.includes(tool.name));
      const resources = (entry?.resources.length ?? 0) + (entry?.resourceTemplates.length ?? 0);
      return {
        name,
        title: entry?.title ?? name,
        served,
        reason: `${reason}${this.#hiddenIn(entry)}`,
        tools: tools.length,
        listed: listed.length,
        prompts: entry?.prompts.length ?? 0,
        resources,
        tokens: tokensOf(listed),
      };
    });
  }

  /** What some clients are not shown of a toolset, as an addition to why it is served. */
  #hiddenIn(entry: CatalogEntry | undefined): string {
    const hidden = (entry?.fileTools ?? []).filter((tool) => this.lists.leftToClients.includes(tool));
    if (hidden.length === 0) return "";
    return `; ${hidden.length} file tools hidden in clients that have their own (${anyOf(namesOfClientsWithFileTools)})`;
  }
}

/** For each toolset, whether it is served and why. */
function chooseToolsets(named: "auto" | "all" | string[], profile: string | undefined, facts: ProjectFacts): Choice[] {
  const names = [...toolsetNames, ...builtToolsets.filter((name) => !toolsetNames.includes(name))];
  return names.map((name) => {
    const room = rooms.find((candidate) => candidate.name === name);
    if (!room?.fits) return { name, served: false, reason: "not built yet" };
    if (named === "all") return { name, served: true, reason: "all toolsets were asked for" };
    if (named === "auto") {
      const { fits, why } = room.fits(facts);
      return { name, served: fits, reason: why };
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
