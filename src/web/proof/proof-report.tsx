import { readTool } from "../data/api.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { BarChart } from "../parts/bar-chart.tsx";
import { Loaded, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { plural } from "../parts/words.ts";

type Row = {
  who: string;
  claimed: number;
  proven: number;
  firstTry: number;
  reopened: number;
  lapsed: number;
  hoursToProof?: number;
};

type Report = { tickets: number; rows: Row[] };

const maxTickets = 200;

/** How many tickets were completed, and how many of these are proven, by assistant. */
export function ProofReport() {
  const report = useLoaded(() => readTool<Report>("report_proof", { limit: maxTickets }), [], {
    concerns: ({ about }) => about.some((item) => item.startsWith("ticket:")),
  });
  return (
    <div class="page">
      <h1>Proof</h1>
      <Loaded of={report}>
        {({ tickets, rows: all }) => {
          const rows = all.filter(({ claimed, reopened, lapsed }) => claimed + reopened + lapsed > 0);
          return (
            <>
              <Section title="Completed and proven" note={`The latest ${plural(tickets, "ticket")}`}>
                {rows.length === 0 ? (
                  <p class="muted">No ticket is completed yet.</p>
                ) : (
                  <BarChart
                    label="Tickets proven, of those that were completed, by assistant"
                    isLinear
                    bars={rows.map(({ who, claimed, proven }) => ({
                      ...{ name: who, value: proven, behind: claimed },
                      text: `${proven} of ${claimed} proven`,
                    }))}
                  />
                )}
              </Section>
              {rows.length > 0 && (
                <Section title="By assistant">
                  <Table
                    label="Claims and proof by assistant"
                    rows={rows}
                    keyOf={({ who }) => who}
                    columns={[
                      { title: "Who", cell: ({ who }) => who },
                      { title: "Completed", cell: ({ claimed }) => claimed },
                      { title: "Proven", cell: ({ proven }) => proven },
                      { title: "At first try", cell: ({ firstTry }) => firstTry },
                      { title: "Reopened", cell: ({ reopened }) => reopened },
                      { title: "Proof lapsed", cell: ({ lapsed }) => lapsed },
                      { title: "Hours to proof", cell: ({ hoursToProof }) => hoursToProof?.toFixed(1) ?? "–" },
                    ]}
                  />
                </Section>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
