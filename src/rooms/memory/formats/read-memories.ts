import * as z from "zod";
import { unreadableImport } from "../model/errors.ts";
import { limits } from "../model/limits.ts";
import { type Collection, collections } from "../model/memory.ts";
import type { NewMemory } from "../recall/memories.ts";
import { readLearnings } from "./learnings.ts";

type Defaults = { file: string; type: Collection | undefined; agent: string | undefined };

type ReadEntry = NewMemory & { line: number | undefined };

export type ReadMemories = { entries: ReadEntry[]; skipped: { line?: number | undefined; why: string }[] };

const text = z.string();
const entry = z.object({
  /** The kit's name for the text, and ours. */
  memory: text.optional(),
  text: text.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  type: z.enum(collections).optional().catch(undefined),
  agent: text.optional(),
  tags: z.array(text).optional(),
  created_at: text.optional(),
  date: text.optional(),
});
const metadata = z.object({
  agent: text.optional().catch(undefined),
  type: z.enum(collections).optional().catch(undefined),
  tags: z.array(text).optional().catch(undefined),
  timestamp: text.optional().catch(undefined),
});

/** Memories of a file: `memories.json` of the BMAD kit, our own export, or Markdown with learnings. */
export function readMemories(content: string, defaults: Defaults): ReadMemories {
  const plain = content.charCodeAt(0) === 0xfeff ? content.slice(1) : content;
  const isJson = /^\s*[[{]/.test(plain);
  const read = isJson ? readJson(plain, defaults) : readMarkdown(plain, defaults);
  if (read.entries.length > limits.imported)
    throw unreadableImport(defaults.file, `has more than ${limits.imported} memories; split it`);
  return read;
}

function readJson(content: string, defaults: Defaults): ReadMemories {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw unreadableImport(defaults.file, "is not valid JSON");
  }
  const list = Array.isArray(parsed)
    ? parsed
    : z.object({ memories: z.array(z.unknown()) }).safeParse(parsed).data?.memories;
  if (!list) throw unreadableImport(defaults.file, "has no list of memories");
  const read: ReadMemories = { entries: [], skipped: [] };
  for (const [index, item] of list.entries()) {
    const known = entry.safeParse(item);
    const found = known.success ? toEntry(known.data, index, defaults) : undefined;
    if (found) read.entries.push(found);
    else read.skipped.push({ why: `Entry ${index + 1} has no text, or more than ${limits.textLength} characters.` });
  }
  return read;
}

function toEntry(given: z.output<typeof entry>, index: number, { file, type, agent }: Defaults): ReadEntry | undefined {
  const more = metadata.parse(given.metadata ?? {});
  const content = (given.memory ?? given.text ?? "").trim();
  if (content === "" || content.length > limits.textLength) return undefined;
  const at = Date.parse(given.created_at ?? given.date ?? more.timestamp ?? "");
  return {
    line: undefined,
    type: given.type ?? more.type ?? type ?? "agent-learnings",
    agent: (given.agent ?? more.agent ?? agent ?? "unknown").slice(0, limits.agentLength),
    text: content,
    tags: (given.tags ?? more.tags ?? []).map((tag) => tag.slice(0, limits.tagLength)),
    origin: "file",
    source: `${file}#${index + 1}`,
    ...(Number.isFinite(at) && { createdAt: at }),
  };
}

function readMarkdown(content: string, { file, type, agent }: Defaults): ReadMemories {
  const entries = readLearnings(content).flatMap((learning): ReadEntry[] => {
    if (learning.text.length > limits.textLength) return [];
    const at = Date.parse(learning.date ?? "");
    return [
      {
        line: learning.line,
        type: type ?? "agent-learnings",
        agent: (learning.agent ?? agent ?? nameOf(file)).slice(0, limits.agentLength),
        text: learning.text,
        tags: learning.tags,
        origin: "file",
        source: `${file}:${learning.line}`,
        ...(Number.isFinite(at) && { createdAt: at }),
      },
    ];
  });
  if (entries.length === 0) throw unreadableImport(file, 'has no lines of the form "- [2026-01-31] text"');
  return { entries, skipped: [] };
}

function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.\w+$/, "").replace(/^agent-learnings-/, "") || "unknown";
}
