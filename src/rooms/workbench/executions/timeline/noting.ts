import type { Call } from "../../../../kernel/call.ts";
import { visible } from "../../../../kernel/visible.ts";
import type { Execution, TimelineEvent } from "../../model/execution-model.ts";
import type { Timeline, TimelineChange } from "./timeline.ts";

/** Puts what tools saw into the timeline, with the call's own ledger entry. */
export class Noting {
  readonly #journal: Timeline;

  constructor(journal: Timeline) {
    this.#journal = journal;
  }

  async note(call: Call, execution: Execution, happenings: readonly TimelineEvent[]): Promise<void> {
    await this.#journal.change(call, execution.id, () => ({
      events: happenings.map(eventOf),
      files: happenings.flatMap((happening) => (happening.kind === "file" ? [happening.file] : [])),
    }));
    for (const happening of happenings) {
      if (happening.kind === "issue") call.log("warning", lineOf(happening.issue));
    }
  }
}

function eventOf(happening: TimelineEvent): NonNullable<TimelineChange["events"]>[number] {
  if (happening.kind === "tests") {
    const { run, message, details } = happening;
    return { kind: "tests", message, details: { run, ...details } };
  }
  if (happening.kind === "issue") return { kind: "issue", message: lineOf(happening.issue), details: happening.issue };
  const { path, action, linesAdded, linesRemoved, via } = happening.file;
  const { purpose } = happening;
  return {
    kind: "file",
    message: `${action} ${path}${purpose === undefined ? "" : `: ${purpose}`}`,
    details: {
      path,
      action,
      lines_added: linesAdded,
      lines_removed: linesRemoved,
      via,
      ...(purpose !== undefined && { purpose }),
    },
  };
}

function lineOf({ type, file, line, message }: Extract<TimelineEvent, { kind: "issue" }>["issue"]): string {
  const where = file === undefined ? "" : ` ${file}${line === undefined ? "" : `:${line}`}`;
  return visible(`${type}${where}: ${message.split("\n", 1)[0] ?? ""}`).slice(0, 1_000);
}
