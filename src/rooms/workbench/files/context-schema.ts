import * as z from "zod";
import type { FileContext } from "../context/file-context.ts";
import { limits } from "../model/limits.ts";

const text = z.string().max(limits.line);
const texts = z.array(text).max(limits.list);

export const contextSchema = z.object({
  language: text.optional(),
  imports: texts,
  exported: texts,
  imported_by: texts,
  imported_by_omitted: z.number().int().optional(),
  imported_by_incomplete: text.optional().describe("Why there may be others"),
  tests: texts,
  last_commit: z.object({ commit: text, author: text, date: text, subject: text }).optional(),
});

/** A file may contain names of any length. */
export function shortenContext({
  last_commit: commit,
  imported_by_incomplete: gaps,
  ...context
}: FileContext): z.output<typeof contextSchema> {
  const short = (one: string) => one.slice(0, limits.line);
  const all = (many: readonly string[]) => many.slice(0, limits.list).map(short);
  return {
    ...(context.language !== undefined && { language: short(context.language) }),
    imports: all(context.imports),
    exported: all(context.exported),
    imported_by: all(context.imported_by),
    ...(context.imported_by_omitted !== undefined && { imported_by_omitted: context.imported_by_omitted }),
    ...(gaps !== undefined && { imported_by_incomplete: short(gaps) }),
    tests: all(context.tests),
    ...(commit && { last_commit: { ...commit, author: short(commit.author), subject: short(commit.subject) } }),
  };
}
