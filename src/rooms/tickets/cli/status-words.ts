import type { App } from "../../../commons/cli/app.ts";
import { readProjectFile } from "../../../commons/project-file.ts";
import { requireStatus, requireTypedStatus, type Status } from "../model/status.ts";

/** What people here call statuses: the project's own words, where it has some. Tools and `--json` keep the specified names. */
export type StatusWords = {
  show(status: Status): string;
  /** The status that a person's word means; throws if it means none. */
  parse(word: string): Status;
};

export function readStatusWords({ project }: Pick<App, "project">): StatusWords {
  const { statuses } = readProjectFile(project.root);
  const words = Object.entries(statuses).map(([word, status]) => [word, requireStatus(status)] as const);
  const plain = (word: string) => word.trim().toLowerCase();
  return {
    show: (status) => words.find(([, meant]) => meant === status)?.[0] ?? status,
    parse: (given) => words.find(([word]) => plain(word) === plain(given))?.[1] ?? requireTypedStatus(given),
  };
}
