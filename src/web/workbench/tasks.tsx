import { useEffect, useState } from "preact/hooks";
import { readTool } from "../data/api.ts";
import { onEntry } from "../data/events.ts";
import type { TaskSummary } from "../data/types.ts";
import { Loading } from "../parts/page.tsx";
import { showProblem } from "../parts/toast.tsx";
import { layoutGraph } from "./layout-graph.ts";

type Block = { id: string; name: string; status: string; task_counts: Record<string, number> };
type TaskPage = { tasks: TaskSummary[]; total: number; next_cursor?: string };

const pageSize = 200;
const maxTasks = 1_000;
const box = { width: 210, height: 44, across: 60, down: 16 };

async function loadTasks(): Promise<{ tasks: TaskSummary[]; total: number }> {
  const tasks: TaskSummary[] = [];
  let cursor: string | undefined;
  let total = 0;
  do {
    const page: TaskPage = await readTool<TaskPage>("forge_get_tasks", {
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    tasks.push(...page.tasks);
    ({ total, next_cursor: cursor } = page);
  } while (cursor !== undefined && tasks.length < maxTasks);
  return { tasks, total };
}

/** Tasks and what they depend on, block by block. */
export function Tasks() {
  const [shown, setShown] = useState<{ tasks: TaskSummary[]; total: number; blocks: Block[] } | undefined>();
  useEffect(() => {
    const read = async () => {
      const [{ tasks, total }, { blocks }] = await Promise.all([
        loadTasks(),
        readTool<{ blocks: Block[] }>("forge_get_blocks", { limit: pageSize }),
      ]);
      setShown({ tasks, total, blocks });
    };
    read().catch(showProblem);
    return onEntry(({ effect, outcome, about }) => {
      const isOurs = about.some((item) => /^(task|block|execution):/.test(item));
      if (isOurs && effect !== "read" && outcome !== "open") read().catch(() => undefined);
    });
  }, []);
  if (!shown) return <Loading />;
  const { tasks, total, blocks } = shown;
  return (
    <div class="page">
      <h1>Tasks</h1>
      {tasks.length === 0 && (
        <p class="empty">No tasks yet. Plan work in blocks with your assistant, or import a blocks_config.json.</p>
      )}
      {blocks.length > 0 && (
        <section>
          <h2>Blocks</h2>
          <ul class="lines">
            {blocks.map(({ id, name, status, task_counts: counts }) => (
              <li key={id}>
                <div class="line">
                  <span class={`run-status r-${status}`}>{status}</span>
                  <span class="line-title">{name}</span>
                  <span class="muted">
                    {counts["completed"] ?? 0} of {Object.values(counts).reduce((sum, count) => sum + count, 0)} done
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {tasks.length > 0 && <TaskGraph tasks={tasks} blocks={blocks} />}
      {total > tasks.length && (
        <p class="muted">
          The first {tasks.length} of {total} tasks.
        </p>
      )}
    </div>
  );
}

/** A dependency is named by task, by block and task, or as a block, which means all its tasks. */
function needsOf(
  { dependencies, block_id: own }: TaskSummary,
  tasks: readonly TaskSummary[],
  blocks: readonly Block[],
): string[] {
  return dependencies.flatMap((name) => {
    const block = blocks.find(({ id, name: title }) => id === name || title === name);
    if (block) return tasks.filter(({ block_id: id }) => id === block.id).map(keyOf);
    const [first = "", second] = name.split("/");
    const found = tasks.find(({ id, block_id: of }) =>
      second === undefined ? id === first && of === own : of === first && id === second,
    );
    return found ? [keyOf(found)] : tasks.filter(({ id }) => id === name).map(keyOf);
  });
}

function keyOf({ block_id: block, id }: TaskSummary): string {
  return `${block}/${id}`;
}

function TaskGraph({ tasks, blocks }: { tasks: TaskSummary[]; blocks: Block[] }) {
  const nodes = tasks.map((task) => ({ id: keyOf(task), needs: needsOf(task, tasks, blocks) }));
  const places = layoutGraph(nodes);
  const at = (id: string) => {
    const { layer = 0, row = 0 } = places.get(id) ?? {};
    return { x: 12 + layer * (box.width + box.across), y: 12 + row * (box.height + box.down) };
  };
  const layers = Math.max(0, ...[...places.values()].map(({ layer }) => layer)) + 1;
  const rows = Math.max(0, ...[...places.values()].map(({ row }) => row)) + 1;
  const size = { width: layers * (box.width + box.across), height: rows * (box.height + box.down) + 16 };
  const nameOf = new Map(blocks.map(({ id, name }) => [id, name]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide graph scrolls, which the keyboard must be able to do too.
    <section class="graph-box" tabIndex={0} aria-label="Dependency graph">
      <svg
        class="graph"
        width={size.width}
        height={size.height}
        role="img"
        aria-label={`${tasks.length} tasks and what they depend on`}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {nodes.flatMap(({ id, needs }) =>
          needs.map((need) => {
            const [from, to] = [at(need), at(id)];
            const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
            const bend = Math.max(24, (x2 - x1) / 2);
            return (
              <path
                key={`${need} ${id}`}
                d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
                marker-end="url(#arrow)"
              />
            );
          }),
        )}
        {tasks.map((task) => {
          const { x, y } = at(keyOf(task));
          const waits = task.waits_for?.join("; ");
          return (
            <g key={keyOf(task)} class={`g-${task.status}`} transform={`translate(${x} ${y})`}>
              <title>{[task.name, task.status.replace("_", " "), waits].filter((part) => part).join("\n")}</title>
              <rect width={box.width} height={box.height} rx="8" />
              <text x="10" y="19">
                {shorten(task.name, 28)}
              </text>
              <text class="g-block" x="10" y="35">
                {shorten(`${nameOf.get(task.block_id) ?? task.block_id} · ${task.status.replace("_", " ")}`, 34)}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
