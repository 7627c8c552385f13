import { type BmadFiles, recordIn, textIn, type YamlLines } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";

/** With the line that it has in the file. */
type Story = { id: string; status: string; line?: number };

type Epic = { id: string; status?: string; line?: number; retrospective?: string; stories: Story[] };

export type SprintStatus = {
  project?: string;
  last_updated?: string;
  counts: Record<string, number>;
  epics: Epic[];
  source: string;
};

const maxEntries = 1_000;

/** What plain BMAD projects keep in place of runs: which epics and stories are in progress. */
export async function readSprintStatus(files: BmadFiles, { artifacts }: Layout): Promise<SprintStatus | undefined> {
  for (const folder of artifacts) {
    const source = `${folder}/sprint-status.yaml`;
    const read = await files.readYamlLines(source);
    if (!read) continue;
    const { value: content } = read;
    const project = textIn(content, "project");
    const updated = textIn(content, "last_updated") ?? textIn(content, "generated");
    return {
      ...(project !== undefined && { project }),
      ...(updated !== undefined && { last_updated: updated }),
      ...countStories(read),
      source,
    };
  }
  return undefined;
}

/** `epic-1`, `epic-1-retrospective` and `1-2-a-story`, each with its status. */
function countStories({ value, lineOf }: YamlLines): Pick<SprintStatus, "counts" | "epics"> {
  const development = recordIn(value, "development_status");
  const epics = new Map<string, Epic>();
  const epicOf = (number: string) => {
    const epic = epics.get(number) ?? { id: `epic-${number}`, stories: [] };
    epics.set(number, epic);
    return epic;
  };
  const counts: Record<string, number> = {};
  for (const key of Object.keys(development).slice(0, maxEntries)) {
    const status = textIn(development, key) ?? textIn(development, key, "status") ?? "unknown";
    const place = lineOf(["development_status", key]);
    const line = place === undefined ? {} : { line: place };
    const [, epic, retrospective] = /^epic-([\w.]+?)(-retrospective)?$/.exec(key) ?? [];
    if (epic === undefined) {
      epicOf(/^([\w.]+?)-/.exec(key)?.[1] ?? "other").stories.push({ id: key.slice(0, 200), status, ...line });
      const name = status.slice(0, 200);
      counts[name] = (counts[name] ?? 0) + 1;
    } else if (retrospective) epicOf(epic).retrospective = status;
    else Object.assign(epicOf(epic), { status, ...line });
  }
  return { counts, epics: [...epics.values()] };
}
