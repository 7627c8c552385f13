import { useState } from "preact/hooks";
import { readTool } from "../data/api.ts";
import { useLoaded, usePaused } from "../data/use-loaded.ts";
import { Time } from "../parts/marks.tsx";
import { Loaded, Section } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { query } from "../router.ts";
import { FailureMuseum } from "./failure-museum.tsx";

type MemoryView = {
  id: string;
  type: string;
  agent: string;
  text: string;
  tags: string[];
  date: string;
  origin: string;
  written_by: string;
  source?: string;
};
type Found = { memories: MemoryView[]; degraded?: boolean };

const collections = ["decisions", "agent-learnings", "shared-context", "stories", "failures"];
const pageSize = 100;
const maxResults = 50;

/** What assistants and people remembered, and what went wrong before. */
export function Memory() {
  const [text, setText] = useState(query.value.get("q") ?? "");
  const [type, setType] = useState("");
  const words = usePaused(text.trim());
  const memories = useLoaded(() => find(words, type), [words, type], {
    concerns: ({ about }) => about.some((item) => item.startsWith("memory:")),
    keeps: true,
  });
  return (
    <div class="page">
      <h1>Memory</h1>
      <search class="page-head">
        <SearchField label="Search memories" value={text} typed={setText} />
        <select aria-label="Collection" value={type} onChange={(event) => setType(event.currentTarget.value)}>
          <option value="">All collections</option>
          {collections.map((name) => (
            <option key={name} value={name}>
              {name.replace("-", " ")}
            </option>
          ))}
        </select>
      </search>
      <Section title={words === "" ? "Latest memories" : "Found by meaning and words"}>
        <Loaded of={memories}>
          {({ memories: found, degraded }) => (
            <>
              {degraded && <p class="muted">Part of the search did not work, so results may be missing.</p>}
              {found.length === 0 && (
                <p class="muted">
                  {words === ""
                    ? "None yet. Assistants remember decisions and learnings as they work."
                    : "Nothing found."}
                </p>
              )}
              <ul class="notes">
                {found.map((memory) => (
                  <MemoryLine key={memory.id} memory={memory} />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </Section>
      <FailureMuseum />
    </div>
  );
}

async function find(words: string, type: string): Promise<Found> {
  const only = type === "" ? {} : { type };
  if (words === "") return readTool<Found>("list_memories", { limit: pageSize, ...only });
  const { results, degraded } = await readTool<{ results: MemoryView[]; degraded: boolean }>("recall_structured", {
    ...{ query: words, limit: maxResults, ...only },
  });
  return { memories: results, degraded };
}

function MemoryLine({
  memory: { type, agent, text, tags, date, origin, written_by: by, source },
}: {
  memory: MemoryView;
}) {
  return (
    <li>
      <Prose text={text} />
      <div class="note-meta">
        <span class="type feature">{type.replace("-", " ")}</span>
        {tags.map((tag) => (
          <span key={tag} class="type">
            {tag}
          </span>
        ))}
        <span class="muted">
          {origin === "file" ? (source ?? "a file") : `${agent}, for ${by.replace(/^local:/, "")}`}, <Time at={date} />
        </span>
      </div>
    </li>
  );
}
