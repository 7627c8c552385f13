import { isRecord } from "../../../../kernel/json.ts";
import type { ActionPerformed, ExecutionEvent } from "../../model/execution-model.ts";
import type { ExecutionStore } from "../execution-store.ts";
import type { ExecutionRow } from "../rows.ts";

const maxFiles = 500;
const maxEvents = 2_000;
const fileActions = { created: "file_created", modified: "file_modified", deleted: "file_deleted" } as const;

/** What an execution has done so far. */
export async function listActions(
  store: ExecutionStore,
  db: Parameters<ExecutionStore["listFiles"]>[0],
  row: ExecutionRow,
): Promise<ActionPerformed[]> {
  const files = await store.listFiles(db, row.seq);
  const events = await store.listEventsOfKinds(db, row.seq, ["file", "tests"], maxEvents);
  const purposes = new Map(events.flatMap(readPurpose));
  return [
    ...files.slice(0, maxFiles).map(({ path, action, linesAdded, linesRemoved }): ActionPerformed => {
      const purpose = purposes.get(path);
      const lines = action === "deleted" ? linesRemoved : linesAdded;
      return { type: fileActions[action], path, lines, ...(purpose !== undefined && { purpose }) };
    }),
    ...events.filter(isTestRun).map(({ details }) => toTestAction(details)),
  ];
}

function readPurpose({ kind, details: { path, purpose } }: ExecutionEvent): [string, string][] {
  return kind === "file" && typeof path === "string" && typeof purpose === "string" ? [[path, purpose]] : [];
}

function isTestRun({ kind, details: { ran } }: ExecutionEvent): boolean {
  return kind === "tests" && ran !== false;
}

function toTestAction({ passed, failed, coverage }: Record<string, unknown>): ActionPerformed {
  const percentage = isRecord(coverage) ? coverage["percentage"] : undefined;
  return {
    type: "tests_run",
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
    ...(typeof percentage === "number" && { coverage: percentage }),
  };
}
