import { facts } from "../data/start.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Time } from "../parts/marks.tsx";
import { Loaded, Section } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { Table } from "../parts/table.tsx";
import { showProblem } from "../parts/toast.tsx";
import { hrefOf } from "../router.ts";
import { loadReceipt, loadReceiptText, type SignedReceipt } from "./load-proof.ts";

const releaseMs = 60_000;
const tones: Record<string, string> = { PASSED: "passed", FAILED: "failed", WARNED: "running" };
const stateTones: Record<string, string> = { proven: "passed", held: "passed", failed: "failed", broken: "failed" };

/** What was asked, what was done and what shows it, to read and to keep. */
export function ReceiptPage({ id }: { id: string }) {
  const receipt = useLoaded(() => loadReceipt(id), [id]);
  document.title = `Receipt of ${id} · Forge`;
  return (
    <article class="page">
      <p class="crumbs">
        <a href={hrefOf("")}>Board</a> / <a href={hrefOf(`ticket/${id}`)}>{id}</a> / Receipt
      </p>
      <Loaded of={receipt}>{(signed) => <ReceiptText signed={signed} />}</Loaded>
    </article>
  );
}

function ReceiptText({ signed: { result, receipt, signer, text } }: { signed: SignedReceipt }) {
  const { ticket, commit, base, by, machine, at, criteria, work, rules = [] } = receipt;
  const keep = (format: "markdown" | "html", ending: string, type: string) =>
    loadReceiptText(ticket.id, format).then((made) => download(made, `${ticket.id}.${ending}`, type), showProblem);
  return (
    <>
      <header class="page-head">
        <h1>{ticket.title}</h1>
        <span class={`run-status r-${tones[result] ?? ""}`}>{result.toLowerCase()}</span>
        <span class="space" />
        <button type="button" onClick={() => download(text, `${ticket.id}.receipt.json`, "application/json")}>
          Download signed receipt
        </button>
        {facts.value?.place === "project" && (
          <>
            <button type="button" onClick={() => void keep("markdown", "md", "text/markdown")}>
              Markdown
            </button>
            <button type="button" onClick={() => void keep("html", "html", "text/html")}>
              HTML
            </button>
          </>
        )}
      </header>
      <dl class="facts">
        <div>
          <dt>Verified</dt>
          <dd>
            by {by} on {machine}
          </dd>
        </div>
        <div>
          <dt>Commit</dt>
          <dd>
            <code>{commit.slice(0, 12)}</code>
            {base !== undefined && (
              <>
                , compared with <code>{base.slice(0, 12)}</code>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Signed</dt>
          <dd>
            <Time at={at} />, key <code>{signer.slice(0, 16)}</code>
          </dd>
        </div>
      </dl>
      <Section title="Criteria">
        <Table
          label="Criteria"
          rows={criteria}
          keyOf={({ id }) => id}
          none="The ticket has no acceptance criteria."
          columns={[
            { title: "Id", cell: ({ id }) => <span class="id">{id}</span> },
            { title: "Criterion", cell: ({ text: said }) => <Prose text={said} />, class: "wide-cell" },
            {
              title: "State",
              cell: ({ state }) => <span class={`run-status r-${stateTones[state] ?? ""}`}>{state}</span>,
            },
            { title: "Evidence", cell: ({ why }) => <Prose text={why} />, class: "wide-cell" },
          ]}
        />
      </Section>
      <Section title="Work">
        <Table
          label="Work"
          rows={work}
          keyOf={({ execution }) => execution}
          none="No execution was recorded."
          columns={[
            { title: "Status", cell: ({ status }) => status },
            { title: "By", cell: ({ by: who, agent }) => (agent === undefined ? who : `${who} with ${agent}`) },
            { title: "Commit", cell: ({ commit: made }) => made && <code>{made.slice(0, 10)}</code> },
            { title: "Tests", cell: ({ tests }) => tests && `${tests.passed} passed, ${tests.failed} failed` },
            { title: "Files", cell: ({ files = [] }) => <code>{files.join(", ")}</code>, class: "wide-cell" },
          ]}
        />
      </Section>
      {rules.length > 0 && (
        <Section title="Invariants">
          <Table
            label="Invariants"
            rows={rules}
            keyOf={({ name }) => name}
            columns={[
              { title: "Name", cell: ({ name }) => name.replaceAll("_", " ") },
              {
                title: "Status",
                cell: ({ status }) => (
                  <span class={`run-status r-${stateTones[status] ?? ""}`}>{status.replace("_", " ")}</span>
                ),
              },
              { title: "Why", cell: ({ why }) => why, class: "wide-cell" },
            ]}
          />
        </Section>
      )}
    </>
  );
}

function download(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(address), releaseMs);
}
