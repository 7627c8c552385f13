import { addBlock, changeBlock, readBlock, removeBlock } from "../formats/marked-block.ts";
import { splitMark } from "../formats/splice.ts";
import type { Draft } from "../service/draft.ts";
import type { Remark } from "./server-entry.ts";
import { claudeImport } from "./texts.ts";

/** Puts a marked block into a file for assistants to read; only what is between the marks is ever changed. */
export function putBlock(draft: Draft, block: string): void {
  const { mark, body } = splitMark(draft.text ?? "");
  const existing = readBlock(draft.name, body);
  if (existing === block) return;
  const { original, earlier } = draft;
  if (existing !== undefined && (original === undefined || !earlier)) {
    draft.change(mark + changeBlock(draft.name, body, block));
    return;
  }
  const before = existing === undefined ? draft.found.text : original;
  const { text, splices } = addBlock(draft.name, splitMark(before ?? "").body, block);
  const shifted = splices.map((splice) => ({ ...splice, at: splice.at + mark.length }));
  draft.add(mark + text, shifted, false, earlier?.createdFile ? undefined : before);
}

/** The import line, unless CLAUDE.md imports AGENTS.md already. */
export function putImport(draft: Draft, block: string): void {
  const lines = (draft.text ?? "").split(/\r?\n/);
  if (readBlock(draft.name, draft.text ?? "") === undefined && lines.includes(claudeImport)) return;
  putBlock(draft, block);
}

export function dropBlock(draft: Draft, fresh: string): void {
  if (draft.text === undefined) return;
  const { mark, body } = splitMark(draft.text);
  if (readBlock(draft.name, body) === undefined) return;
  const { original } = draft;
  if (original !== undefined) draft.remove(original, true);
  else if (draft.text === fresh && !draft.earlier) draft.text = undefined;
  else {
    const rest = removeBlock(draft.name, body);
    draft.remove(mark + rest, rest.trim() === "");
  }
}

/** A file that is all ours: written if there is none, updated if it was not edited. */
export function putWhole(draft: Draft, text: string): Remark {
  if (draft.text === text) return undefined;
  if (draft.text !== undefined && draft.original === undefined)
    return `${draft.name} was edited, so it was not changed.`;
  draft.add(text, [{ at: 0, text }], false, undefined);
  return undefined;
}

export function dropWhole(draft: Draft, text: string): Remark {
  if (draft.text === undefined) return undefined;
  if (draft.text !== text && draft.original === undefined) return `${draft.name} was edited, so it was not changed.`;
  draft.text = undefined;
  draft.made = undefined;
  return undefined;
}
