import { readTool, request } from "../data/api.ts";
import { facts } from "../data/start.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Loaded, Section, Warnings } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { hrefOf } from "../router.ts";
import { Invariants, type JudgedInvariant } from "./invariants.tsx";

type ContractEntry = { name: string; filename: string; format: string; available: boolean };
type Waiver = { rule: string; file?: string; reason: string; by: string; until: string; expired: boolean };
type TeamProject = { id: string; name: string; status: string };
type Check = {
  status: "passed" | "failed";
  invariants: JudgedInvariant[];
  violations: { layer: string; file: string; line: number; rule: string; reason: string }[];
  syntax_errors: { file: string; line: number; message: string }[];
  warnings: string[];
};

/** The project's rules and whether they hold; on a team's server, the contracts that its projects share. */
export function Governance() {
  return (
    <div class="page">
      <h1>Governance</h1>
      {facts.value?.place === "project" ? <ProjectRules /> : <TeamContracts />}
    </div>
  );
}

function ProjectRules() {
  const check = useLoaded(() => readTool<Check>("forge_check_governance"), []);
  const contracts = useLoaded(() => readTool<{ contracts: ContractEntry[] }>("forge_list_contracts"), []);
  const waivers = useLoaded(() => readTool<{ waivers: Waiver[] }>("list_waivers"), []);
  return (
    <>
      <Loaded of={check}>
        {({ status, invariants, violations, syntax_errors: faults, warnings }) => (
          <>
            <Section
              title="Invariants"
              note={<span class={`run-status r-${status}`}>{status === "passed" ? "all hold" : "broken"}</span>}
            >
              <Invariants invariants={invariants} />
              <Warnings texts={warnings} />
            </Section>
            {violations.length + faults.length > 0 && (
              <Section title="Broken rules">
                <Table
                  label="Broken rules"
                  rows={[
                    ...violations.map(({ layer, reason, ...place }) => ({ ...place, rule: layer, why: reason })),
                    ...faults.map(({ message, ...place }) => ({ ...place, rule: "syntax", why: message })),
                  ]}
                  keyOf={({ file, line, rule, why }) => `${file}:${line} ${rule} ${why}`}
                  columns={[
                    { title: "Where", cell: ({ file, line }) => <code>{`${file}:${line}`}</code> },
                    { title: "Rule", cell: ({ rule }) => rule },
                    { title: "Why", cell: ({ why }) => why },
                  ]}
                />
              </Section>
            )}
          </>
        )}
      </Loaded>
      <Section title="Contracts">
        <Loaded of={contracts}>{(answer) => <Contracts entries={answer.contracts} />}</Loaded>
      </Section>
      <Section title="Waivers" note="Rules that a person allowed to be broken for now">
        <Loaded of={waivers}>
          {(answer) => (
            <Table
              label="Waivers"
              rows={answer.waivers}
              keyOf={({ rule, file, until }) => `${rule} ${file} ${until}`}
              none="No rule is waived."
              columns={[
                {
                  title: "Rule",
                  cell: ({ rule, file }) => <code>{file === undefined ? rule : `${rule} ${file}`}</code>,
                },
                {
                  title: "Until",
                  cell: ({ until, expired }) => (
                    <>
                      {until} {expired && <span class="run-status r-failed">expired</span>}
                    </>
                  ),
                },
                { title: "By", cell: ({ by }) => by },
                { title: "Reason", cell: ({ reason }) => reason },
              ]}
            />
          )}
        </Loaded>
      </Section>
    </>
  );
}

function Contracts({ entries }: { entries: ContractEntry[] }) {
  return (
    <Table
      label="Contracts"
      rows={entries.filter(({ available }) => available)}
      keyOf={({ name }) => name}
      none={
        facts.value?.place === "project" ? (
          <>
            No contracts yet. Create them with <code>forge governance init</code>.
          </>
        ) : (
          <>
            No contracts are shared yet. A project shares its own with <code>forge governance push</code>.
          </>
        )
      }
      columns={[
        { title: "Contract", cell: ({ name }) => <a href={hrefOf(`contract/${name}`)}>{name.replaceAll("_", " ")}</a> },
        { title: "File", cell: ({ filename }) => <code>{filename}</code> },
      ]}
    />
  );
}

function TeamContracts() {
  const contracts = useLoaded(() => request<{ contracts: ContractEntry[] }>("GET", "/forge/contracts"), []);
  const projects = useLoaded(() => request<{ projects: TeamProject[] }>("GET", "/api/governance/projects"), []);
  return (
    <>
      <Section title="Contracts" note="What all projects of the team share">
        <Loaded of={contracts}>{(answer) => <Contracts entries={answer.contracts} />}</Loaded>
      </Section>
      <Section title="Projects" note="With contracts and builds of their own">
        <Loaded of={projects}>
          {(answer) => (
            <Table
              label="Projects"
              rows={answer.projects}
              keyOf={({ id }) => id}
              none="No projects yet."
              columns={[
                { title: "Name", cell: ({ name }) => name },
                { title: "Id", cell: ({ id }) => <code>{id}</code> },
                { title: "Status", cell: ({ status }) => status },
              ]}
            />
          )}
        </Loaded>
      </Section>
    </>
  );
}
