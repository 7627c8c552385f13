import { diffLines, formatHunks } from "../../../../commons/diff/line-diff.ts";
import type { ForkMark } from "../definitions/definition.ts";
import { DefinitionText } from "../definitions/definition-text.ts";
import { isBreakingStep, isNewer } from "../definitions/versions.ts";
import { alreadyThere, wrongCreation } from "../errors.ts";
import type { ForkCreated, ForkDiff, ForkInfo, ForkSummary, ForkUpdate, Kind, MergeResult, Reached } from "../types.ts";
import { compareFields } from "./compare-fields.ts";
import { mergeConflict } from "./errors.ts";
import { baseFile, type Fork, ForkFinder, type ForkParts } from "./fork-finder.ts";
import { mergeDefinition } from "./merge-definition.ts";
import type { Strategy } from "./merge-text.ts";

/** Copies of definitions that are changed here and follow their upstream. */
export class Forks {
  readonly #parts: ForkParts;
  readonly #finder: ForkFinder;

  constructor(parts: ForkParts) {
    this.#parts = parts;
    this.#finder = new ForkFinder(parts);
  }

  async list(type: Kind | "all", signal: AbortSignal): Promise<{ forks: ForkSummary[]; total: number }> {
    const forks: ForkSummary[] = [];
    for (const fork of await this.#finder.all()) {
      if (type !== "all" && fork.entry.kind !== type) continue;
      const latest = await this.#finder.latest(fork, { signal, onlyCached: true });
      forks.push(summaryOf(fork, latest.version));
    }
    return { forks, total: forks.length };
  }

  async info(name: string, signal: AbortSignal): Promise<ForkInfo & Reached> {
    const fork = await this.#finder.findNamed(name);
    const { version, warnings } = await this.#finder.latest(fork, { signal });
    const { upstream, ...summary } = summaryOf(fork, version);
    const { createdAt, mergedAt } = fork.mark;
    return {
      ...summary,
      upstream: { ...upstream, currentVersion: version },
      createdAt,
      ...(mergedAt !== undefined && { lastMerged: mergedAt }),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  async diff(name: string, format: "unified" | "json", signal: AbortSignal): Promise<ForkDiff & Reached> {
    const fork = await this.#finder.findNamed(name);
    const [base, local] = [await this.#finder.base(fork, signal), await this.#parts.store.load(fork.entry)];
    const latest = await this.#finder.latest(fork, { signal });
    const differences = compareFields(base.definition.fields, local.fields);
    const count = (type: string) => differences.filter(({ changeType }) => changeType === type).length;
    const text =
      format === "unified" ? formatDiff(base.text, await this.#parts.store.text(fork.entry.path)) : undefined;
    return {
      name: fork.entry.name,
      upstreamVersion: fork.mark.version,
      upstreamLatest: latest.version,
      localVersion: fork.entry.version,
      differences,
      summary: { added: count("added"), removed: count("removed"), modified: count("modified") },
      ...(text !== undefined && { diff: text }),
      ...(latest.warnings.length > 0 && { warnings: latest.warnings }),
    };
  }

  async check(
    name: string | undefined,
    signal: AbortSignal,
  ): Promise<{ updates: ForkUpdate[]; total: number; hasUpdates: boolean } & Reached> {
    const forks = name === undefined ? await this.#finder.all() : [await this.#finder.findNamed(name)];
    const updates: ForkUpdate[] = [];
    const warnings: string[] = [];
    for (const fork of forks) {
      const latest = await this.#finder.latest(fork, { signal });
      warnings.push(...latest.warnings);
      if (!isNewer(latest.version, fork.mark.version)) continue;
      const { name: own, kind, version } = fork.entry;
      const breakingChanges =
        isBreakingStep(fork.mark.version, latest.version) || (await this.#removesFields(fork, latest.version, signal));
      updates.push({ name: own, type: kind, localVersion: version, upstreamVersion: latest.version, breakingChanges });
    }
    return {
      updates,
      total: updates.length,
      hasUpdates: updates.length > 0,
      ...(warnings.length > 0 && { warnings: [...new Set(warnings)] }),
    };
  }

  /** Copies a definition of a registry, of a plugin or of the user's own into the project, with where it came from. */
  async create(
    request: {
      source: string;
      name?: string | undefined;
      type?: Kind | undefined;
      force?: boolean | undefined;
      dryRun?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<ForkCreated> {
    const { source, force = false, dryRun = false } = request;
    const upstream = await this.#parts.resolver.resolveAny({ name: source }, request.type, signal);
    const name = request.name ?? upstream.name.replace(/^@[^/]+\//, "");
    if (!/^[a-z][a-z0-9-]{0,99}$/i.test(name))
      throw wrongCreation(
        `"${name.slice(0, 100)}" cannot be the name of a fork.`,
        "Use letters, digits and hyphens, starting with a letter.",
      );
    const definition = await upstream.load();
    const text = await this.#finder.textOf(upstream, definition);
    const base = text.toString();
    text.set(["name"], name);
    writeMark(text, { name: upstream.name, version: upstream.version, createdAt: new Date().toISOString() });
    const { kind } = upstream;
    const file = `${kind}s/${name}.${text.extension}`;
    const path = this.#parts.files.pathOf(file);
    if (!force && (await this.#parts.files.exists(file))) throw alreadyThere(`The ${kind} ${name}`, path);
    if (!dryRun) {
      await this.#parts.files.write(baseFile(kind, name, text.extension), base);
      await this.#parts.files.write(file, text.toString());
    }
    return { name, type: kind, path, upstream: { name: upstream.name, version: upstream.version }, dryRun };
  }

  /** Brings the changes of a newer upstream into a fork. A conflict changes nothing unless `manual` asks for markers. */
  async merge(
    request: {
      name: string;
      upstream?: string | undefined;
      strategy?: Strategy | undefined;
      base?: string | undefined;
      dryRun?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<MergeResult> {
    const { strategy = "auto", dryRun = false } = request;
    const fork = await this.#finder.findNamed(request.name);
    const mark = request.base === undefined ? fork.mark : { ...fork.mark, version: request.base };
    const base = await this.#finder.base({ ...fork, mark }, signal, request.base !== undefined);
    const latest = request.upstream ?? `${mark.name}@${(await this.#finder.latest(fork, { signal })).version}`;
    const upstream = await this.#finder.upstreamOf(fork.entry, latest, signal);
    const { name, path } = fork.entry;
    if (upstream.version === mark.version) {
      const text = await this.#parts.store.text(path);
      return { name, path, from: mark.version, to: mark.version, changed: [], conflicts: [], dryRun, text };
    }
    const [local, theirs] = [await this.#parts.store.load(fork.entry), await upstream.load()];
    const text = DefinitionText.of(await this.#parts.store.text(fork.entry.path), local);
    const { changed, conflicts } = mergeDefinition(
      text,
      { base: base.definition.fields, local: local.fields, upstream: theirs.fields },
      strategy,
    );
    if (conflicts.length > 0 && strategy !== "manual") throw mergeConflict(fork.entry.name, conflicts);
    writeMark(text, { ...fork.mark, version: upstream.version, mergedAt: new Date().toISOString() });
    if (!dryRun) {
      await this.#parts.files.write(
        baseFile(fork.entry.kind, fork.entry.name, text.extension),
        (await this.#finder.textOf(upstream, theirs)).toString(),
      );
      await this.#parts.files.writeAt(fork.entry.path, text.toString());
    }
    return { name, path, from: mark.version, to: upstream.version, changed, conflicts, dryRun, text: text.toString() };
  }

  /** Whether a newer upstream lacks something that the forked one had. */
  async #removesFields(fork: Fork, version: string, signal: AbortSignal): Promise<boolean> {
    try {
      const base = await this.#finder.base(fork, signal);
      const upstream = await this.#finder.upstreamOf(fork.entry, `${fork.mark.name}@${version}`, signal);
      const changes = compareFields(base.definition.fields, (await upstream.load()).fields);
      return changes.some(
        ({ field, changeType }) =>
          changeType === "removed" && /^(?:parameters|tools|llm|implementation|input_schema)/.test(field),
      );
    } catch {
      return false;
    }
  }
}

function summaryOf({ entry, mark }: Fork, latest: string): ForkSummary {
  return {
    name: entry.name,
    type: entry.kind,
    upstream: { name: mark.name, version: mark.version },
    localVersion: entry.version,
    path: entry.path,
    hasUpstreamUpdate: isNewer(latest, mark.version),
  };
}

function writeMark(text: DefinitionText, { name, version, createdAt, mergedAt }: ForkMark): void {
  text.delete(["fork"]);
  text.set(["fork_of"], {
    name,
    version,
    forked_at: createdAt,
    ...(mergedAt !== undefined && { merged_at: mergedAt }),
  });
}

const maxDiffLength = 100_000;

function formatDiff(base: string, local: string): string {
  const { hunks } = diffLines(base, local);
  return ["--- upstream", "+++ local", formatHunks(hunks, { maxLength: maxDiffLength })].join("\n");
}
