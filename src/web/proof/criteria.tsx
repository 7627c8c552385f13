import type { TicketView } from "../data/types.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Section } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { hrefOf } from "../router.ts";
import { type CriterionProof, loadProof } from "./load-proof.ts";

const tones: Record<string, string> = { proven: "passed", failed: "failed", waived: "running", unproven: "" };

/** What has to be true, whether that is proven, and by what. */
export function Criteria({ ticket }: { ticket: TicketView }) {
  const { id, criteria, revision, records } = ticket;
  const { value: proof = [] } = useLoaded(
    () => (criteria.length === 0 ? Promise.resolve([]) : loadProof(id)),
    [id, revision],
    // Proof lapses when the files that it depends on change.
    { concerns: ({ about }) => about.some((item) => item.startsWith("execution:")), keeps: true },
  );
  if (criteria.length === 0) return null;
  const proven = proof.filter(({ state }) => state === "proven" || state === "waived").length;
  return (
    <Section
      title="Acceptance criteria"
      note={
        <>
          {proof.some(({ checks, state }) => checks.length > 0 || state === "waived") &&
            `${proven} of ${criteria.length} proven `}
          {(records?.verifications?.length ?? 0) > 0 && <a href={hrefOf(`receipt/${id}`)}>Receipt</a>}
        </>
      }
    >
      <ul class="criteria">
        {criteria.map(({ id: name, text, given, when, then, notes }) => (
          <li key={name}>
            <span class="id">{name}</span>
            <div>
              <Prose text={text} />
              {[given && `Given ${given}`, when && `When ${when}`, then && `Then ${then}`, notes]
                .filter((line) => line)
                .map((line) => (
                  <div key={line} class="muted">
                    {line}
                  </div>
                ))}
              <Evidence of={proof.find((one) => one.id === name)} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Evidence({ of }: { of: CriterionProof | undefined }) {
  if (!of || (of.checks.length === 0 && of.state !== "waived")) return null;
  const { state, why, checks } = of;
  return (
    <details class="evidence">
      <summary>
        <span class={`run-status r-${tones[state]}`}>{state}</span> <span class="muted">{why}</span>
      </summary>
      <ul>
        {checks.map(({ id, check, state: own, why: because, base, changed, proposedBy, commit, reportedBy }) => (
          <li key={id}>
            <span class="id">{id}</span> <code>{check}</code> <span class={`run-status r-${tones[own]}`}>{own}</span>
            <div class="muted">
              {[
                because !== why && because,
                base !== undefined && `Without the change: ${base}.`,
                changed && "Written or changed by the same work.",
                proposedBy !== undefined && `Proposed by ${proposedBy}.`,
                commit !== undefined && `Run at ${commit.slice(0, 10)}.`,
                reportedBy !== undefined && `Reported by ${reportedBy}.`,
              ]
                .filter((part) => part)
                .join(" ")}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
