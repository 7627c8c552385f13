import { approveOutput } from "../../../commons/cli/approve-output.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { limits } from "../model/limits.ts";
import type { MemoryView } from "../model/memory.ts";
import type { embedMemories } from "../tools/memories/embed-memories.ts";
import type { exportMemories } from "../tools/memories/export-memories.ts";
import type { forgetMemories } from "../tools/memories/forget-memories.ts";
import type { importMemories } from "../tools/memories/import-memories.ts";
import type { listMemories } from "../tools/memories/list-memories.ts";
import type { recallStructured } from "../tools/memories/recall-structured.ts";
import type { rememberStructured } from "../tools/memories/remember-structured.ts";
import { commandFacts } from "./command-facts.ts";

const maxShownSkipped = 10;

const columns: Column<MemoryView>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "DATE", cell: ({ date }) => date.slice(0, 10) },
  { title: "TYPE", cell: ({ type }) => type },
  { title: "AGENT", cell: ({ agent }) => agent, shrinks: true },
  { title: "TEXT", cell: ({ text }) => text.replaceAll(/\s+/g, " ") },
];

export const remember = commandFor<typeof rememberStructured>({
  ...commandFacts,
  tool: "remember_structured",
  name: "memory remember",
  summary: "Remember something about this project",
  examples: [['forge memory remember decisions architect "Use PostgreSQL 16"', "Remember a decision."]],
  arguments: [
    { field: "type", help: "Collection." },
    { field: "agent", help: "Role that it belongs to, such as dev." },
    { field: "text", help: "What to remember." },
  ],
  options: { tags: { value: "LIST", commas: true, help: "Tags." } },
  print: ({ id, created }, out) => out.print(created ? `Remembered ${id}` : `Known already: ${id}`),
});

export const recall = commandFor<typeof recallStructured>({
  ...commandFacts,
  tool: "recall_structured",
  name: "memory recall",
  summary: "Search the memories of this project",
  examples: [
    ['forge memory recall "why do we not use Redis"', "Search by meaning."],
    ["forge memory recall timeout --type failures", "Search one collection."],
  ],
  arguments: [{ field: "query", help: "What to look for." }],
  options: {
    type: { help: "Only this collection." },
    agent: { help: "Only memories of this agent." },
    limit: { short: "n", help: "How many results at most." },
  },
  print({ results, degraded }, out) {
    if (results.length === 0) out.note("No matching memories.");
    for (const { score, type, agent, date, text, id } of results) {
      out.print(`${out.style.bold(plain(text))}`);
      out.print(out.style.dim(`  ${score.toFixed(2)}  ${type}  ${plain(agent)}  ${date.slice(0, 10)}  ${id}`));
    }
    if (degraded) out.note("Part of the search did not work, so results may be missing.");
  },
});

export const list = commandFor<typeof listMemories>({
  ...commandFacts,
  tool: "list_memories",
  name: "memory list",
  summary: "List the memories of this project",
  examples: [["forge memory list --type decisions", "The decisions, newest first."]],
  options: { limit: { short: "n" } },
  print({ memories, next }, out, { again }) {
    const more = next === undefined ? undefined : again({ before: next });
    printList({ columns, rows: memories, none: "No memories.", more, as: undefined }, out);
  },
});

export const forget = commandFor<typeof forgetMemories>({
  ...commandFacts,
  tool: "forget_memories",
  name: "memory forget",
  summary: "Delete memories",
  examples: [["forge memory forget 0f8a1c2e-…", "Delete one memory; `forge memory list` shows ids."]],
  arguments: [{ field: "ids", name: "id", required: true, rest: true, help: "Ids of the memories." }],
  options: { ids: false },
  toInput: (_, { positionals }) => ({ ids: positionals }),
  print: ({ forgotten }, out) => out.print(`Forgot ${formatCount(forgotten.length)}`),
});

export const importFile = commandFor<typeof importMemories>({
  ...commandFacts,
  tool: "import_memories",
  name: "memory import",
  summary: "Import memories from a file",
  examples: [
    ["forge memory import _bmad/_memory/memories.json", "Memories of the BMAD kit."],
    ["forge memory import _bmad/_memory/agent-learnings/dev.md", "An agent's learnings."],
  ],
  arguments: [{ name: "file", required: true, help: "The file; - reads standard input." }],
  options: { text: false, file: false },
  async toInput(given, { app, out, positionals: [file = "-"] }) {
    const text = await app.files.read(file, out.signal, limits.importBytes);
    return { ...given, text, file: file === "-" ? "standard input" : file.slice(-limits.pathLength) };
  },
  print({ created, known, skipped }, out) {
    out.print(`Imported ${formatCount(created)}; ${known} known already`);
    for (const { line, why } of skipped.slice(0, maxShownSkipped))
      out.note(`Skipped${line === undefined ? "" : ` line ${line}`}: ${plain(why)}`);
    if (skipped.length > maxShownSkipped) out.note(`Skipped ${skipped.length - maxShownSkipped} more.`);
  },
});

export const exportFile = commandFor<typeof exportMemories>({
  ...commandFacts,
  tool: "export_memories",
  name: "memory export",
  summary: "Export memories",
  examples: [["forge memory export memories.json", "All memories to a file."]],
  arguments: [{ name: "file", required: false, help: "Where to write it (default: stdout)." }],
  async print({ text, count }, out, { app, positionals: [file] }) {
    if (file === undefined || file === "-") return void out.exact(text);
    await approveOutput(app, "forge memory export", [{ file, text }], out);
    await app.files.write(file, text, { force: false });
    out.print(`Wrote ${formatCount(count)} to ${plain(file)}`);
  },
});

export const embed = commandFor<typeof embedMemories>({
  ...commandFacts,
  tool: "embed_memories",
  name: "memory embed",
  summary: "Embed memories again after the model was changed",
  examples: [["forge memory embed", "Wait until every memory has a vector of the current model."]],
  print: ({ embedded }, out) => out.print(`Embedded ${formatCount(embedded)}`),
});

function formatCount(count: number): string {
  return `${count} ${count === 1 ? "memory" : "memories"}`;
}
