import { isRecord } from "../../../kernel/json.ts";
import { isoDate } from "./dates.ts";
import { field, type Loose, listOf, present, recordOf, textOf } from "./loose.ts";
import { block, inline } from "./plain-text.ts";

/** The record of completed work, Forge's or a server's, in one shape; undefined if the value is not one. */
export function readChangeRecord(value: unknown) {
  const record = recordOf(value);
  if (!record) return undefined;
  const divergences = listOf(field(record, "divergences")).flatMap(divergenceIn);
  const filesChanged = listOf(field(record, "filesChanged")).flatMap(fileIn);
  const read = present({
    executionSummary: block(field(record, "executionSummary")),
    filesChanged: filesChanged.length > 0 ? filesChanged : undefined,
    divergences: divergences.length > 0 ? divergences : undefined,
    branch: textOf(field(record, "branch")),
    commit: textOf(field(record, "commit")),
    base: textOf(field(record, "base")),
    status: textOf(field(record, "status")),
    reviewNote: block(field(record, "reviewNote")),
    reviewedAt: isoDate(field(record, "reviewedAt")),
    submittedAt: isoDate(field(record, "submittedAt")),
  });
  return Object.keys(read).length > 0 ? read : undefined;
}

function fileIn(value: unknown) {
  const file = isRecord(value) ? value : { path: value };
  const path = textOf(field(file, "path"));
  return path === undefined ? [] : [{ path, additions: count(file, "additions"), deletions: count(file, "deletions") }];
}

function count(file: Loose, name: string): number {
  const value = field(file, name);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function divergenceIn(value: unknown) {
  if (!isRecord(value)) return [];
  const part = (name: string) => inline(field(value, name)) ?? "";
  const divergence = {
    area: part("area"),
    intended: part("intended"),
    actual: part("actual"),
    justification: part("justification"),
  };
  return Object.values(divergence).some((text) => text !== "") ? [divergence] : [];
}
