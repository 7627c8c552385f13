import * as z from "zod";
import { maxEscapeFactor } from "../../../kernel/text/escape-text.ts";
import { limits } from "./limits.ts";

/** The typed collections of the BMAD kit. */
export const collections = ["shared-context", "decisions", "agent-learnings", "failures", "stories"] as const;

export type Collection = (typeof collections)[number];

/** Where a memory's text comes from. Text of a file may be anybody's. */
const origins = ["assistant", "user", "file"] as const;

export type Origin = (typeof origins)[number];

export type Memory = {
  id: string;
  historicId: string;
  type: Collection;
  agent: string;
  text: string;
  tags: string[];
  origin: Origin;
  /** Says what another memory said before it; it carries no more weight than that one. */
  isDerived: boolean;
  writtenBy: string;
  /** The file and line it was imported from. */
  source: string | undefined;
  createdAt: number;
};

export const agentName = z.string().trim().min(1).max(limits.agentLength);

/** What an assistant is shown may have escapes in it. */
const escapedText = (length: number) => z.string().max(length * maxEscapeFactor);

export const memoryView = z.object({
  id: escapedText(limits.idLength),
  historic_id: escapedText(limits.idLength),
  type: z.enum(collections),
  agent: escapedText(limits.agentLength),
  text: escapedText(limits.textLength),
  tags: z.array(escapedText(limits.tagLength)).max(limits.tags),
  date: z.string().max(30),
  origin: z.enum(origins),
  written_by: escapedText(limits.nameLength),
  source: escapedText(limits.pathLength).optional(),
  derived: z.literal(true).optional(),
});

export type MemoryView = z.output<typeof memoryView>;

export function toView(memory: Memory): MemoryView {
  const { id, historicId, type, agent, text, tags, origin, isDerived, writtenBy, source, createdAt } = memory;
  return {
    id,
    historic_id: historicId,
    type,
    agent,
    text,
    tags,
    date: new Date(createdAt).toISOString(),
    origin,
    written_by: writtenBy,
    ...(source !== undefined && { source }),
    ...(isDerived && { derived: true as const }),
  };
}
