import { readTool } from "../data/api.ts";
import { facts } from "../data/start.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { DiffLines } from "../parts/diff.tsx";
import { showHidden } from "../parts/foreign-text.ts";
import { Time } from "../parts/marks.tsx";
import { Loaded, Section, Warnings } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { Table } from "../parts/table.tsx";
import { hrefOf, query } from "../router.ts";
import { type DefinitionVersion, loadDefinition } from "./load-definition.ts";
import type { Kind } from "./load-definitions.ts";

type ForkDiff = {
  upstreamVersion: string;
  upstreamLatest?: string;
  localVersion: string;
  summary: { added: number; removed: number; modified: number };
  diff?: string;
};

const publishedColumn = {
  title: "Published",
  cell: ({ publishedAt }: DefinitionVersion) => publishedAt && <Time at={publishedAt} />,
};

export function DefinitionPage({ kind, name }: { kind: Kind; name: string }) {
  const version = query.value.get("version") ?? undefined;
  const definition = useLoaded(() => loadDefinition(kind, name, version), [kind, name, version]);
  const here = `definition/${kind}/${encodeURIComponent(name)}`;
  document.title = `${showHidden(name)} · Forge`;
  return (
    <article class="page">
      <p class="crumbs">
        <a href={hrefOf("registry")}>Registry</a> / {kind}
      </p>
      <h1>{name}</h1>
      <Loaded of={definition}>
        {({ version: shown, description = "", parts, facts: details, dependencies, versions, warnings }) => (
          <>
            <p class="page-head">
              <span class="status s-ready">{shown}</span>
              <Prose text={description} />
            </p>
            <Warnings texts={warnings} />
            {details.length > 0 && (
              <dl class="facts">
                {details.map(({ title, text }) => (
                  <div key={title}>
                    <dt>{title}</dt>
                    <dd>
                      <Prose text={text} />
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            <div class="pair">
              <Section title="Versions">
                <Table
                  label="Versions"
                  rows={versions}
                  keyOf={({ version: one, place }) => `${one} ${place}`}
                  none="No versions."
                  columns={[
                    {
                      title: "Version",
                      cell: ({ version: one, withdrawn }) => (
                        <>
                          <a
                            href={`${hrefOf(here)}?version=${encodeURIComponent(one)}`}
                            aria-current={one === shown ? "true" : undefined}
                          >
                            {one}
                          </a>{" "}
                          {withdrawn !== undefined && <span class="type bug">withdrawn: {withdrawn}</span>}
                        </>
                      ),
                    },
                    { title: "From", cell: ({ place }) => place },
                    ...(versions.some(({ publishedAt }) => publishedAt !== undefined) ? [publishedColumn] : []),
                  ]}
                />
              </Section>
              <Section title="Dependencies">
                <Table
                  label="Dependencies"
                  rows={dependencies}
                  keyOf={({ kind: of, name: needed }) => `${of} ${needed}`}
                  none="No dependencies."
                  columns={[
                    {
                      title: "Name",
                      cell: ({ kind: of, name: needed }) => (
                        <a href={hrefOf(`definition/${of}/${encodeURIComponent(needed)}`)}>{needed}</a>
                      ),
                    },
                    { title: "Kind", cell: ({ kind: of }) => of },
                    { title: "Version", cell: ({ version: needed }) => needed },
                  ]}
                />
              </Section>
            </div>
            {facts.value?.place === "project" && kind !== "plugin" && <Fork kind={kind} name={name} />}
            {parts.map(({ title, text }) => (
              <Section key={title} title={title}>
                <div class="document">
                  <Prose text={text} />
                </div>
              </Section>
            ))}
          </>
        )}
      </Loaded>
    </article>
  );
}

/** What a fork changed; nothing where it is none. */
function Fork({ kind, name }: { kind: Kind; name: string }) {
  const { value: diff } = useLoaded(async () => {
    const { forks } = await readTool<{ forks: { name: string; type: string; upstream: { name: string } }[] }>(
      "fractary_forge_fork_list",
    );
    const fork = forks.find((one) => one.name === name && one.type === kind);
    return fork && { fork, ...(await readTool<ForkDiff>("fractary_forge_fork_diff", { name })) };
  }, [kind, name]);
  if (!diff) return null;
  const { fork, upstreamVersion, upstreamLatest, diff: lines = "", summary } = diff;
  const isBehind = upstreamLatest !== undefined && upstreamLatest !== upstreamVersion;
  return (
    <Section
      title={`Fork of ${fork.upstream.name} ${upstreamVersion}`}
      note={`${summary.added} added, ${summary.modified} changed, ${summary.removed} removed`}
    >
      {isBehind && (
        <p>
          <span class="run-status r-running">{upstreamLatest} is out</span> Get its changes with{" "}
          <code>forge registry merge {name}</code>.
        </p>
      )}
      {lines === "" ? <p class="muted">No changes.</p> : <DiffLines lines={lines.split("\n")} />}
    </Section>
  );
}
