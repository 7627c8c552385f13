import { expect, test } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { isOn } from "../../src/kernel/definitions/tool.ts";
import { agentsBlock, skill } from "../../src/rooms/setup/clients/texts.ts";
import { builtInGuides } from "../../src/rooms/tickets/guides/built-in.ts";
import { rooms } from "../../src/rooms.ts";

/** What assistants read before they have called anything. */
const texts = {
  "AGENTS.md": agentsBlock,
  skill,
  ...builtInGuides,
  "descriptions and guidance": JSON.stringify(catalog),
};

test.each(Object.entries(texts))("%s names only tools that an assistant can call", async (_name, text) => {
  const tools = await Promise.all(rooms.flatMap((room) => Object.values(room.tools ?? {}).map((load) => load())));
  const notForAssistants = tools.filter((tool) => !isOn("mcp", tool)).map(({ name }) => name);
  const words = new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
  expect(notForAssistants.length).toBeGreaterThan(0);
  expect(notForAssistants.filter((name) => words.has(name))).toEqual([]);
});
