import { ForgeError } from "../../../kernel/errors.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { escapeText } from "../reading/escape-text.ts";
import type { Guides } from "./tickets.ts";

type GuideName = Parameters<Guides["read"]>[0];

const folder = ".forge/guides";
const most: { bytes: number; lines: Record<GuideName, number> } = {
  bytes: 65_536,
  lines: { "dev-executor": 500, "dev-reviewer": 300 },
};

/** Where the guide would end for whoever reads the prompt, in any spelling that a lenient reader takes for it. */
const endOfGuide = /<(?=\s*\/\s*agent_guide)/gi;

/** Forge's own guides, each replaced by the project's file of that name in `.forge/guides` where there is one. */
export class GuideShelf implements Guides {
  readonly #own: SafeRoot;

  constructor(projectRoot: string) {
    this.#own = SafeRoot.at(projectRoot).within(folder);
  }

  async read(name: GuideName): Promise<{ text: string; source?: string }> {
    const text = await this.#override(name);
    if (text !== undefined) return { text, source: pathOf(name) };
    const { builtInGuides } = await import("../guides/built-in.ts");
    return { text: builtInGuides[name] };
  }

  async #override(name: GuideName): Promise<string | undefined> {
    try {
      const { text, lines } = await this.#own.readText(`${name}.md`, { maxBytes: most.bytes });
      if (lines > most.lines[name]) throw tooLong(name, lines);
      return escapeText(text).text.replace(endOfGuide, "&lt;");
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      if (error.code === "NOT_FOUND") return undefined;
      throw unusable(name, error);
    }
  }
}

function pathOf(name: GuideName): string {
  return `${folder}/${name}.md`;
}

function tooLong(name: GuideName, lines: number): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `It has ${lines} lines; a guide of this name has at most ${most.lines[name]}.`,
    {
      details: { lines, limit: most.lines[name] },
    },
  );
}

/** A broken guide is not passed over in silence: the project's rules would seem to be in force and not be. */
function unusable(name: GuideName, why: ForgeError): ForgeError {
  return new ForgeError("CONFIG_ERROR", `The project's guide ${pathOf(name)} cannot be used. ${why.message}`, {
    details: { ...why.details, path: pathOf(name) },
    next: [
      `Make it a UTF-8 text file of at most ${most.lines[name]} lines and ${most.bytes} bytes, inside the project.`,
      "Or move it to another name: Forge then uses its own guide.",
    ],
    cause: why,
  });
}
