import type { App } from "../../../commons/cli/app.ts";
import { readProjectFile } from "../../../commons/project-file.ts";
import { requireStatus, requireTypedStatus, type Status } from "../model/status.ts";

/** What people here call statuses: the project's own words, where it has some. Tools and `--json` keep the specified names. */
export type StatusWords = {
  show(status: Status): string;
  /** The status that a person's word means; throws if it means none. */
  parse(word: string): Status;
};

/** The specified names, where no project is at hand. */
export const specifiedWords: StatusWords = { show: (status) => status, parse: requireTypedStatus };

/** A ticket's status in a list; one that was completed without proof is marked. */
export function statusCell({ status, unproven }: { status: Status; unproven?: true | undefined }, words: StatusWords) {
  return unproven ? `${words.show(status)} (unproven)` : words.show(status);
}

/** By status; the first word for a status is the one that is shown. */
export function readShownWords(root: string): Partial<Record<Status, string>> {
  return Object.fromEntries(
    readWords(root)
      .map(([word, status]) => [status, word])
      .toReversed(),
  );
}

function readWords(root: string): (readonly [string, Status])[] {
  return Object.entries(readProjectFile(root).statuses).map(([word, status]) => [word, requireStatus(status)] as const);
}

export function readStatusWords({ project }: { project: Pick<App["project"], "root"> }): StatusWords {
  const words = readWords(project.root);
  const plain = (word: string) => word.trim().toLowerCase();
  return {
    show: (status) => words.find(([, meant]) => meant === status)?.[0] ?? status,
    parse: (given) => words.find(([word]) => plain(word) === plain(given))?.[1] ?? requireTypedStatus(given),
  };
}
