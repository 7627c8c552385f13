import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { facts } from "../data/start.ts";
import { useLoaded, usePaused } from "../data/use-loaded.ts";
import { Loaded, Section, Warnings } from "../parts/page.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { Table } from "../parts/table.tsx";
import { plural } from "../parts/words.ts";
import { hrefOf, query } from "../router.ts";
import {
  type DefinitionList,
  type Kind,
  type ListedDefinition,
  listDefinitions,
  searchRegistries,
} from "./load-definitions.ts";

/** Agents, tools and plugins: those at hand, and what registries have. */
export function Registry() {
  const isProject = facts.value?.place === "project";
  const [text, setText] = useState(query.value.get("q") ?? "");
  const [kind, setKind] = useState<Kind | "">("");
  const [asked, setAsked] = useState("");
  const paused = usePaused(text.trim());
  const own = useLoaded<DefinitionList>(
    () => (isProject ? listDefinitions() : searchRegistries(paused)),
    [isProject ? "" : paused],
    { keeps: true },
  );
  return (
    <div class="page">
      <h1>Registry</h1>
      <search class="page-head">
        <SearchField label="Search agents, tools and plugins" value={text} typed={setText} />
        <select aria-label="Kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind | "")}>
          <option value="">All kinds</option>
          <option value="agent">Agents</option>
          <option value="tool">Tools</option>
          <option value="plugin">Plugins</option>
        </select>
        {isProject && text.trim() !== "" && (
          <button type="button" onClick={() => setAsked(text.trim())}>
            Search registries
          </button>
        )}
      </search>
      <Loaded of={own}>
        {({ definitions, warnings }) => {
          const shown = definitions.filter((definition) => fits(definition, text, kind));
          return (
            <Section title={isProject ? "In this project" : "On this server"} note={plural(shown.length, "definition")}>
              <Warnings texts={warnings} />
              <Definitions
                label="Definitions"
                rows={shown}
                none={
                  definitions.length > 0 ? (
                    "No matching definitions."
                  ) : isProject ? (
                    <>
                      Nothing here yet. Create an agent with <code>forge registry agent-create NAME</code>.
                    </>
                  ) : (
                    <>
                      Nothing is published yet. Publish a plugin with <code>forge registry publish</code>.
                    </>
                  )
                }
              />
            </Section>
          );
        }}
      </Loaded>
      {asked !== "" && <FromRegistries text={asked} />}
    </div>
  );
}

function FromRegistries({ text }: { text: string }) {
  const found = useLoaded(() => searchRegistries(text), [text]);
  return (
    <Section title={`Plugins in registries that match “${text}”`}>
      <Loaded of={found}>
        {({ definitions, warnings }) => (
          <>
            <Warnings texts={warnings} />
            <Definitions label="Plugins in registries" rows={definitions} none="No matching plugins." />
          </>
        )}
      </Loaded>
    </Section>
  );
}

type DefinitionsProps = { label: string; rows: ListedDefinition[]; none: ComponentChildren };

function Definitions({ label, rows, none }: DefinitionsProps) {
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ kind, name, place }) => `${kind} ${name} ${place}`}
      none={none}
      columns={[
        {
          title: "Name",
          cell: ({ kind, name, isFork }) => (
            <>
              <a href={hrefOf(`definition/${kind}/${encodeURIComponent(name)}`)}>{name}</a>{" "}
              {isFork && <span class="type feature">fork</span>}
            </>
          ),
        },
        { title: "Kind", cell: ({ kind }) => kind },
        { title: "Version", cell: ({ version }) => version },
        { title: "From", cell: ({ place }) => place },
        { title: "Description", cell: ({ description = "" }) => description, class: "wide-cell" },
      ]}
    />
  );
}

function fits({ kind, name, description = "", tags = [] }: ListedDefinition, text: string, wanted: string): boolean {
  const all = [name, description, ...tags].join(" ").toLowerCase();
  return (
    (wanted === "" || kind === wanted) &&
    text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => all.includes(word))
  );
}
