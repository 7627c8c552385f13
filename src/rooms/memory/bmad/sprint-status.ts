import { type BmadFiles, recordIn, textIn } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";

type Story = { id: string; status: string };

type Epic = { id: string; status?: string; retrospective?: string; stories: Story[] };

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
    const content = await files.readYaml(source);
    if (!content) continue;
    const project = textIn(content, "project");
    const updated = textIn(content, "last_updated") ?? textIn(content, "generated");
    return {
      ...(project !== undefined && { project }),
      ...(updated !== undefined && { last_updated: updated }),
      ...countStories(recordIn(content, "development_status")),
      source,
    };
  }
  return undefined;
}

/** `epic-1`, `epic-1-retrospective` and `1-2-a-story`, each with its status. */
function countStories(development: Record<string, unknown>): Pick<SprintStatus, "counts" | "epics"> {
  const epics = new Map<string, Epic>();
  const epicOf = (number: string) => {
    const epic = epics.get(number) ?? { id: `epic-${number}`, stories: [] };
    epics.set(number, epic);
    return epic;
  };
  const counts: Record<string, number> = {};
  for (const key of Object.keys(development).slice(0, maxEntries)) {
    const status = textIn(development, key) ?? textIn(development, key, "status") ?? "unknown";
    const [, epic, retrospective] = /^epic-([\w.]+?)(-retrospective)?$/.exec(key) ?? [];
    if (epic === undefined) {
      epicOf(/^([\w.]+?)-/.exec(key)?.[1] ?? "other").stories.push({ id: key.slice(0, 200), status });
      const name = status.slice(0, 200);
      counts[name] = (counts[name] ?? 0) + 1;
    } else if (retrospective) epicOf(epic).retrospective = status;
    else epicOf(epic).status = status;
  }
  return { counts, epics: [...epics.values()] };
}
