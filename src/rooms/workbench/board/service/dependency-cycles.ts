import type { Db } from "../store/board-store.ts";
import { queryInChunks } from "../store/chunks.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";

/** The number of a task; a block, for all its tasks, is its negative number. */
type Node = number;

const limits = { steps: 1_000, seen: 200_000, shown: 10 };
const openStatuses = ["pending", "in_progress", "failed"];

/** The shortest path from a task to itself along its unmet dependencies. */
export async function findCycleThrough(db: Db, start: number): Promise<string[] | undefined> {
  const cameFrom = new Map<Node, Node>();
  let edge: Node[] = [start];
  for (let step = 0; step < limits.steps && edge.length > 0 && cameFrom.size < limits.seen; step++) {
    const next: Node[] = [];
    for (const [from, targets] of await findTargets(db, edge)) {
      for (const to of targets) {
        if (cameFrom.has(to)) continue;
        cameFrom.set(to, from);
        if (to === start) return nameTasks(db, tracePath(cameFrom, start));
        next.push(to);
      }
    }
    edge = next;
  }
  return undefined;
}

function tracePath(cameFrom: ReadonlyMap<Node, Node>, start: Node): Node[] {
  const way = [start];
  for (let at = cameFrom.get(start) ?? start; at !== start; at = cameFrom.get(at) ?? start) way.unshift(at);
  return [start, ...way];
}

/** Some of the cycles on the board. */
export async function findCycles(db: Db): Promise<string[][]> {
  const starts = await db
    .selectFrom("task_dependency")
    .innerJoin("task", "task.seq", "task_dependency.task")
    .select("task.seq")
    .distinct()
    .where("task.status", "in", openStatuses)
    .execute();
  const graph = await buildGraph(
    db,
    starts.map(({ seq }) => seq),
  );
  const cycles: string[][] = [];
  for (const circle of findGraphCycles(graph)) cycles.push(await nameTasks(db, circle));
  return cycles;
}

type Graph = ReadonlyMap<Node, readonly Node[]>;

async function buildGraph(db: Db, starts: readonly Node[]): Promise<Graph> {
  const graph = new Map<Node, readonly Node[]>();
  for (let edge: readonly Node[] = starts; edge.length > 0; ) {
    const found = await findTargets(db, edge);
    for (const node of edge) graph.set(node, found.get(node) ?? []);
    edge = [...new Set([...found.values()].flat())].filter((node) => !graph.has(node));
  }
  return graph;
}

type VisitedNode = { node: Node; next: number };

/** Follows every edge once; a path that reaches one of its own nodes is a cycle. */
function findGraphCycles(graph: Graph): Node[][] {
  const circles: Node[][] = [];
  const done = new Set<Node>();
  for (const start of graph.keys()) {
    const way: VisitedNode[] = [{ node: start, next: 0 }];
    const on = new Set<Node>([start]);
    for (let last = way.at(-1); last && circles.length < limits.shown; last = way.at(-1)) {
      const to = done.has(last.node) ? undefined : graph.get(last.node)?.[last.next++];
      if (to === undefined) {
        done.add(last.node);
        on.delete(last.node);
        way.pop();
      } else if (on.has(to)) {
        const nodes = way.map(({ node }) => node);
        circles.push([...nodes.slice(nodes.indexOf(to)), to]);
      } else if (!done.has(to)) {
        on.add(to);
        way.push({ node: to, next: 0 });
      }
    }
  }
  return circles;
}

async function findTargets(db: Db, nodes: readonly Node[]): Promise<Map<Node, Node[]>> {
  const targets = new Map<Node, Node[]>();
  const meanings = await resolveDependencies(
    db,
    nodes.filter((node) => node > 0),
  );
  for (const [task, meant] of meanings) {
    targets.set(
      task,
      meant.flatMap(({ block, tasks, status }) => {
        if (status === "completed") return [];
        return block === undefined ? tasks.flatMap((to) => (to.status === "completed" ? [] : [to.seq])) : [-block];
      }),
    );
  }
  const blocks = nodes.filter((node) => node < 0).map((node) => -node);
  const members = await queryInChunks(blocks, (some) =>
    db
      .selectFrom("task")
      .select(["seq", "block"])
      .where("block", "in", some)
      .where("status", "in", openStatuses)
      .execute(),
  );
  for (const block of blocks) targets.set(-block, []);
  for (const { seq, block } of members) targets.get(-block)?.push(seq);
  return targets;
}

/** Ids of the tasks on the path, with block ids if it goes through several blocks. */
async function nameTasks(db: Db, way: readonly Node[]): Promise<string[]> {
  const tasks = way.filter((node) => node > 0);
  const rows = await queryInChunks(tasks, (some) =>
    db
      .selectFrom("task")
      .innerJoin("block", "block.seq", "task.block")
      .select(["task.seq", "task.id", "block.id as block"])
      .where("task.seq", "in", some)
      .execute(),
  );
  const isOneBlock = new Set(rows.map(({ block }) => block)).size < 2;
  const names = new Map(rows.map(({ seq, id, block }) => [seq, isOneBlock ? id : `${block}/${id}`]));
  const path = tasks.map((seq) => names.get(seq) ?? String(seq));
  // A path that was found at a block ends at its first task.
  return way[0] !== undefined && way[0] < 0 ? [...path, ...path.slice(0, 1)] : path;
}
