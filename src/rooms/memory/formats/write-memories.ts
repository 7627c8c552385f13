import type { Memory } from "../model/memory.ts";
import { toView } from "../model/memory.ts";

export const exportFormats = ["json", "markdown"] as const;

/** Oldest first. */
export function writeMemories(memories: readonly Memory[], format: (typeof exportFormats)[number]): string {
  return format === "json"
    ? `${JSON.stringify({ memories: memories.map(toView) }, null, 2)}\n`
    : writeMarkdown(memories);
}

/** One line a memory, as the kit's own export has them; what is several lines becomes one. */
function writeMarkdown(memories: readonly Memory[]): string {
  const agents = [...new Set(memories.map(({ agent }) => agent))].sort();
  const sections = agents.map((agent) => {
    const lines = memories
      .filter((memory) => memory.agent === agent)
      .map(({ createdAt, text, tags }) => {
        const date = new Date(createdAt).toISOString().slice(0, 10);
        const marks = tags.map((tag) => ` \`${joinLines(tag).replaceAll("`", "'")}\``).join("");
        return `- [${date}] ${joinLines(text)}${marks}`;
      });
    return `## ${joinLines(agent)}\n\n${lines.join("\n")}\n`;
  });
  return sections.join("\n");
}

function joinLines(text: string): string {
  const lines = text.split(/[\r\n\u2028\u2029]/).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
