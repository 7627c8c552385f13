import { facts } from "../data/start.ts";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";

/** How to connect an assistant to this project, and which tools it gets. */
export function Connect() {
  const { mcpUrl = "", toolsets = [], version, project } = facts.value ?? {};
  return (
    <div class="page connect">
      <h1>Connect an assistant</h1>
      <section>
        <h2>Set up your clients</h2>
        <p>Run this in the project. It finds the assistants on this machine and connects them.</p>
        <pre>forge init</pre>
        <p>
          Other clients connect to <code>{mcpUrl}</code> while this server runs; <code>forge up</code> prints the exact
          line.
        </p>
      </section>
      <Section title="Toolsets">
        <Table
          label="Toolsets"
          rows={toolsets}
          keyOf={({ name }) => name}
          columns={[
            { title: "Toolset", cell: ({ title }) => title },
            { title: "Served", cell: ({ served }) => (served ? "yes" : "no") },
            { title: "Why", cell: ({ reason }) => reason },
            { title: "Tools", cell: ({ tools }) => tools },
            { title: "Tokens (approx.)", cell: ({ tokens }) => tokens },
          ]}
        />
      </Section>
      <p class="muted">
        Forge {version}, serving <code>{project?.path}</code>
      </p>
    </div>
  );
}
