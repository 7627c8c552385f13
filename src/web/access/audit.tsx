import { request } from "../data/api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Time } from "../parts/marks.tsx";
import { Loaded, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";

type AuditEntry = { seq: number; at: string; actor: string; action: string; target: string };
type AuditLog = { entries: AuditEntry[]; intact: boolean };

export function Audit() {
  const log = useLoaded(() => request<AuditLog>("GET", "/api/audit?limit=500"), []);
  return (
    <div class="page">
      <h1>Audit log</h1>
      <Loaded of={log}>
        {({ entries, intact }) => (
          <Section
            title="Latest entries"
            note={
              <span class={`run-status r-${intact ? "ok" : "error"}`}>{intact ? "intact" : "changed by hand"}</span>
            }
          >
            <Table
              label="Audit log"
              rows={entries.toReversed()}
              keyOf={({ seq }) => String(seq)}
              columns={[
                { title: "When", cell: ({ at }) => <Time at={at} /> },
                { title: "Who", cell: ({ actor }) => actor },
                { title: "What", cell: ({ action }) => action },
                { title: "On", cell: ({ target }) => target },
              ]}
            />
          </Section>
        )}
      </Loaded>
    </div>
  );
}
