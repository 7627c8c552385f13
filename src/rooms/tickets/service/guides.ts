import { ForgeError } from "../../../kernel/errors.ts";
import { escapeText } from "../../../kernel/text/escape-text.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { guideTooLong, unusableGuide } from "./errors.ts";

export type GuideName = "dev-executor" | "dev-reviewer";

const folder = ".forge/guides";
const maxBytes = 65_536;
const maxLines: Record<GuideName, number> = { "dev-executor": 500, "dev-reviewer": 300 };

/** The tag that would end the guide within the prompt, in any spelling that a lenient reader accepts. */
const endOfGuide = /<(?=\s*\/\s*agent_guide)/gi;

/**
 * Forge's own guides, each replaced by the project's file of that name in `.forge/guides`, if there is one and the user has
 * trusted the project: a guide that came with a clone would instruct the user's assistant.
 */
export class Guides {
  readonly #projectRoot: string;
  readonly #isTrusted: () => Promise<boolean>;

  constructor(projectRoot: string, isTrusted: () => Promise<boolean>) {
    this.#projectRoot = projectRoot;
    this.#isTrusted = isTrusted;
  }

  /** `source` names the project's file; undefined for a built-in guide. */
  async read(name: GuideName): Promise<{ text: string; source?: string }> {
    const text = (await this.#isTrusted()) ? await this.#readOverride(name) : undefined;
    if (text !== undefined) return { text, source: pathOf(name) };
    const { builtInGuides } = await import("../guides/built-in.ts");
    return { text: builtInGuides[name] };
  }

  async #readOverride(name: GuideName): Promise<string | undefined> {
    try {
      const guides = SafeRoot.at(this.#projectRoot).within(folder);
      const { text, lines } = await guides.readText(`${name}.md`, { maxBytes });
      if (lines > maxLines[name]) throw guideTooLong(lines, maxLines[name]);
      return escapeText(text).text.replace(endOfGuide, "&lt;");
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      if (error.code === "NOT_FOUND") return undefined;
      throw unusableGuide({ path: pathOf(name), maxLines: maxLines[name], maxBytes }, error);
    }
  }
}

function pathOf(name: GuideName): string {
  return `${folder}/${name}.md`;
}
