import type { Author } from "../../../commons/guard/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { Embedder } from "../embedders/embedder.ts";
import type { Reembedder } from "../embedders/reembedder.ts";
import { containsSecret, emptyText, memoryNotFound } from "../model/errors.ts";
import { historicId, memoryId } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import type { Collection, Memory, Origin } from "../model/memory.ts";
import type { SharedIndex } from "../shared/shared-index.ts";
import { type MemoryRow, type MemoryStore, type MemoryTx, type NewMemoryRow, toMemory } from "../store/memory-store.ts";
import { FreshScan } from "./fresh-scan.ts";
import { isDerived } from "./is-derived.ts";
import { MemoryScan } from "./memory-scan.ts";
import { mergeResults, type Ranked } from "./merge-results.ts";
import { memorySubject } from "./note-foreign.ts";
import { packRows } from "./pack-rows.ts";
import { packVector, quantize } from "./packed-vector.ts";
import { packTerms, queryTerms } from "./terms.ts";
import { withoutNul } from "./without-nul.ts";

export type NewMemory = {
  type: Collection;
  agent: string;
  text: string;
  tags?: readonly string[] | undefined;
  origin: Origin;
  source?: string | undefined;
  createdAt?: number | undefined;
};

export type Remembered = { memory: Memory; created: boolean; degraded: boolean };

export type RecallQuery = { query: string; type?: Collection | undefined; agent?: string | undefined; limit: number };

export type Recalled = { results: Ranked[]; degraded: boolean };

type MemoriesOptions = {
  store: MemoryStore;
  ledger: Pick<Ledger, "commit" | "watch">;
  redactor: Redactor;
  embedder: Embedder;
  reembedder: Reembedder;
  shared: SharedIndex | undefined;
  appId: string;
  /** Notes, once, that the project has memories. */
  mark(): void;
  warn(message: string): void;
  now?: () => number;
};

const maxOfAgents = 5_000;
/** More are an import, which others should not wait for. */
const maxShortChange = 20;

/** What a project's assistants have learned, decided and broken: kept with its source, found by words and by meaning. */
export class Memories {
  readonly #options: MemoriesOptions;
  readonly #scan: FreshScan;

  constructor(options: MemoriesOptions) {
    this.#options = options;
    this.#scan = new FreshScan(options.store, options.embedder.name);
  }

  /** The same type, agent and text twice is one memory; new tags are added to it. */
  async remember(by: Author, given: NewMemory): Promise<Remembered> {
    const [made] = await this.rememberAll(by, [given]);
    if (!made) throw new Error("one memory was given and none was stored");
    return made;
  }

  /** Calls back after a memory or failure was stored or deleted, by this process or another; returns how to stop. */
  watch(changed: () => void): () => void {
    const names = ["remember_structured", "forget_memories", "import_memories", "record_failure"];
    return this.#options.ledger.watch(changed, ({ name, outcome }) => outcome === "ok" && names.includes(name));
  }

  /** Several in one change: all or none. */
  async rememberAll(by: Author, given: readonly NewMemory[], signal?: AbortSignal): Promise<Remembered[]> {
    const { store, ledger, shared } = this.#options;
    const wanted = given.map((memory) => this.#check(memory));
    const vectors = await this.#embed(
      wanted.map(({ text }) => text),
      signal,
    );
    const rows = wanted.map((memory, index) => this.#toRow(by, memory, vectors?.[index]));
    await this.#markDerived(rows);
    const created = await store.database.transaction(
      async (tx) => {
        const isNew: boolean[] = [];
        for (const row of rows) {
          const isCreated = await this.#put(tx, row, by);
          if (isCreated) await by.stored?.(tx, memorySubject(row.id));
          isNew.push(isCreated);
        }
        await ledger.commit(tx, by.record);
        return isNew;
      },
      { isLong: rows.length > maxShortChange },
    );
    this.#options.mark();
    const isShared = shared === undefined || (await shared.push(signal));
    return rows.map((row, index) => ({
      memory: toMemory({ ...row, seq: 0, project: store.project, change: 0 }),
      created: created[index] ?? false,
      degraded: vectors === undefined || !isShared,
    }));
  }

  /** Why a memory would be refused, for imports that leave such ones out. */
  refusal(given: NewMemory): string | undefined {
    try {
      this.#check(given);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  async recall({ query, type, agent, limit }: RecallQuery, signal?: AbortSignal): Promise<Recalled> {
    const { store, shared, reembedder } = this.#options;
    const [vectors, latest] = await Promise.all([this.#embed([query], signal), this.#scan.refresh()]);
    const [vector] = vectors ?? [];
    const scan = vector ? await this.#scan.refreshFor(vector.length) : latest;
    const isComplete = vector !== undefined && scan.unembedded === 0;
    if (vector && !isComplete) reembedder.start();
    const found = scan.search({ vector: vector && quantize(vector), terms: queryTerms(query), type, agent }, limit);
    const memories = await store.bySeq(found.map(({ seq }) => seq));
    const results = found.flatMap(({ seq, score }) => {
      const memory = memories.get(seq);
      return memory ? [{ memory, score }] : [];
    });
    if (!shared || !vector) return { results, degraded: !isComplete || shared !== undefined };
    const others = await shared.search({ text: query, vector, type, agent, limit }, signal);
    return { results: mergeResults(results, others ?? [], limit), degraded: !isComplete || others === undefined };
  }

  /** Newest first. */
  async list(filter: {
    type?: Collection | undefined;
    agent?: string | undefined;
    limit: number;
    before?: number | undefined;
  }): Promise<{ memories: Memory[]; next: number | undefined }> {
    const rows = await this.#options.store.page({ ...filter, limit: filter.limit + 1 });
    const shown = rows.slice(0, filter.limit);
    return { memories: shown.map(toMemory), next: rows.length > filter.limit ? shown.at(-1)?.seq : undefined };
  }

  /** Its text is gone at once; that there was one stays known, so that others notice. */
  async forget(by: Actor, ids: readonly string[]): Promise<Memory[]> {
    const { store, ledger, shared } = this.#options;
    const gone = await store.database.transaction(async (tx) => {
      const found: Memory[] = [];
      for (const id of ids) {
        const row = await store.find(tx, id);
        if (!row || row.deleted_at !== null) throw memoryNotFound(id);
        found.push(toMemory(row));
        await store.update(tx, row.seq, {
          ...{ text: "", tags: "[]", vector: null, model: null, source: null, terms: packTerms(""), is_shared: 0 },
          deleted_at: this.#now(),
        });
      }
      await ledger.commit(tx, by.record);
      return found;
    });
    await shared?.push();
    return gone;
  }

  /** What was remembered as these agents' learnings, newest first. */
  async ofAgents(names: readonly string[]): Promise<Memory[]> {
    const wanted = new Set(names.map((name) => name.toLowerCase()));
    const scan = await this.#scan.refresh();
    const seqs = scan.seqsOf(({ type, agent }) => type === "agent-learnings" && wanted.has(agent.toLowerCase()));
    const found = await this.#options.store.bySeq(seqs.slice(-maxOfAgents));
    return [...found.values()].sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Texts that are not stored, ranked as memories are. */
  async rank<T extends { text: string }>(
    query: string,
    items: readonly T[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ ranked: (T & { score: number })[]; degraded: boolean }> {
    const vectors = await this.#embed([query, ...items.map(({ text }) => text)], signal);
    const scan = new MemoryScan();
    scan.putAll(
      packRows(items.map(({ text }, seq) => ({ seq, type: "", agent: "", text, vector: vectors?.[seq + 1] }))),
    );
    const vector = vectors?.[0] && quantize(vectors[0]);
    const found = scan.search({ vector, terms: queryTerms(query), type: undefined, agent: undefined }, limit);
    const ranked = found.flatMap(({ seq, score }) => {
      const item = items[seq];
      return item ? [{ ...item, score: Math.round(score * 1_000) / 1_000 }] : [];
    });
    return { ranked, degraded: vectors === undefined };
  }

  refuseSecrets(field: string, text: string): void {
    if (this.#options.redactor.text(text) !== text) throw containsSecret(field);
  }

  async stop(): Promise<void> {
    await this.#options.reembedder.stop();
    await this.#options.shared?.stop();
    await this.#options.embedder.stop?.();
  }

  #check(given: NewMemory): NewMemory & { tags: string[] } {
    const [agent, text] = [withoutNul(given.agent).trim(), withoutNul(given.text).trim()];
    const tags = [...new Set((given.tags ?? []).map((tag) => withoutNul(tag).trim()).filter((tag) => tag !== ""))];
    if (agent === "") throw emptyText("agent");
    if (text === "") throw emptyText("text");
    this.refuseSecrets("text", text);
    this.refuseSecrets("agent", agent);
    this.refuseSecrets("tags", tags.join("\n"));
    return { ...given, agent, text, tags: tags.slice(0, limits.tags) };
  }

  #toRow(by: Actor, given: NewMemory & { tags: string[] }, vector: Float32Array | undefined): NewMemoryRow {
    const { appId, embedder } = this.#options;
    const { type, agent, text, tags, origin, source, createdAt } = given;
    return {
      id: memoryId(appId, type, agent, text),
      historic_id: historicId(appId, agent, text),
      ...{ type, agent, text, origin },
      tags: JSON.stringify(tags),
      is_derived: 0,
      written_by: by.principal.id,
      source: source ?? null,
      created_at: createdAt ?? this.#now(),
      deleted_at: null,
      model: vector ? embedder.name : null,
      vector: vector ? packVector(vector) : null,
      terms: packTerms(text),
      is_shared: 0,
    };
  }

  async #put(tx: MemoryTx, row: NewMemoryRow, { stored }: Pick<Author, "stored">): Promise<boolean> {
    const { store } = this.#options;
    const known = await store.find(tx, row.id);
    if (!known || known.deleted_at !== null) {
      await store.put(tx, row);
      return true;
    }
    // Tags are text. Those of a file, or of a caller that may follow others, need not be from who wrote the memory.
    const added = row.origin === "file" || stored ? [] : JSON.parse(row.tags);
    const tags: string[] = [...new Set([...JSON.parse(known.tags), ...added])].slice(0, limits.tags);
    const isRetagged = tags.length !== JSON.parse(known.tags).length;
    const isEmbedded = row.model !== null && row.model !== known.model;
    if (isRetagged || isEmbedded)
      await store.update(tx, known.seq, {
        tags: JSON.stringify(tags),
        ...(isRetagged && { is_shared: 0 }),
        ...(isEmbedded && { model: row.model, vector: row.vector }),
      });
    Object.assign(row, pickKept(known), { tags: JSON.stringify(tags) });
    return false;
  }

  /** Of an import the file is known, so nothing in it can look like somebody's own experience; comparing each would take long. */
  async #markDerived(rows: NewMemoryRow[]): Promise<void> {
    if (rows.length > maxShortChange) return;
    const scan = await this.#scan.refresh();
    for (const row of rows) row.is_derived = isDerived(scan, row) ? 1 : 0;
  }

  /** Undefined where the model cannot be used: recall then goes by words alone. */
  async #embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[] | undefined> {
    try {
      const vectors = await this.#options.embedder.embed(texts, signal);
      return vectors.length === texts.length ? vectors : undefined;
    } catch (error) {
      signal?.throwIfAborted();
      this.#options.warn(`Texts cannot be embedded, so memories are found by words alone. ${messageOf(error)}`);
      return undefined;
    }
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

/** What a memory that is already there keeps when it is stored again. */
function pickKept({ created_at, origin, is_derived, written_by, source }: MemoryRow) {
  return { created_at, origin, is_derived, written_by, source };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
