import { join } from "node:path";
import type { Selection, ToolsetReport } from "../../hosts/cli/app.ts";
import { clientsWithFileTools, type Surface, surfaceOf, tokensOf } from "../../hosts/mcp/surface.ts";
import { anyOf } from "../../kernel/closest.ts";
import { entryAt } from "../../platform/files/entry.ts";
import { environment } from "../../platform/host/env.ts";
import type { Project } from "../../platform/state/project.ts";
import { version } from "../../version.ts";
import { catalog } from "../catalog.ts";
import { chooseToolsets, namedToolsets, type ProjectFacts, profileOf } from "../settings/faces.ts";

/** Toolsets that exist; the activity resource belongs to the house and is not one to choose. */
export const built = catalog.map(({ name }) => name).filter((name) => name !== "activity");

/** What a selection serves in a project, and what a client sees of it. */
export class Offering {
  /** Names of the toolsets served. */
  readonly toolsets: string[];
  readonly surface: Surface;
  readonly #choices: ReturnType<typeof chooseToolsets>;
  readonly #readOnly: boolean;

  constructor(selection: Selection, project: Project) {
    const { serverName, exact } = profileOf(selection.profile);
    this.#choices = chooseToolsets(selection, factsOf(project), built);
    this.#readOnly = selection.readOnly;
    const chosen = this.#choices.filter(({ served }) => served).map(({ name }) => name);
    this.toolsets = [...chosen, ...(exact ? [] : ["activity"])];
    this.surface = surfaceOf(catalog, {
      serverName,
      version,
      toolsets: this.toolsets,
      readOnly: this.#readOnly,
      fitsClient: namedToolsets(selection, built) === "auto",
    });
  }

  report(): ToolsetReport[] {
    return this.#choices.map(({ name, served, reason }) => {
      const entry = catalog.find((candidate) => candidate.name === name);
      const tools = (entry?.tools ?? []).filter((tool) => !this.#readOnly || tool.annotations.readOnlyHint);
      const resources = (entry?.resources.length ?? 0) + (entry?.resourceTemplates.length ?? 0);
      const counts = { tools: tools.length, prompts: entry?.prompts.length ?? 0, resources, tokens: tokensOf(tools) };
      return { name, title: entry?.title ?? name, served, reason: `${reason}${this.#sparing(name)}`, ...counts };
    });
  }

  /** What some clients are not shown of a toolset, as an addition to why it is served. */
  #sparing(name: string): string {
    const fileTools = catalog.find((entry) => entry.name === name)?.fileTools ?? [];
    const spared = fileTools.filter((tool) => this.surface.leftToClients.includes(tool));
    return spared.length === 0 ? "" : `; ${spared.length} file tools not for ${anyOf(clientsWithFileTools)}`;
  }
}

/** A few looks at the project's folder; what `--toolsets auto` decides by. */
function factsOf({ root, inGit }: Project): ProjectFacts {
  const has = (...path: string[]) => entryAt(join(root, ...path)) !== undefined;
  return {
    git: inGit,
    fractary: has(".fractary"),
    governance: has("Forge", "Contracts") || has("forge.json") || environment["FORGEGUARD_URL"] !== undefined,
    bmad: has("_bmad") || has("_grimoire"),
  };
}
