import { useEffect, useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { Time } from "../parts/marks.tsx";
import { Loading } from "../parts/page.tsx";
import { showProblem } from "../parts/toast.tsx";

type AuditEntry = { seq: number; at: string; actor: string; action: string; target: string };
type AuditLog = { entries: AuditEntry[]; intact: boolean };

export function Audit() {
  const [log, setLog] = useState<AuditLog | undefined>();
  useEffect(() => {
    request<AuditLog>("GET", "/api/audit?limit=500").then(setLog, showProblem);
  }, []);
  if (!log) return <Loading />;
  return (
    <div class="page">
      <div class="page-head">
        <h1>Audit log</h1>
        <span class={`run-status r-${log.intact ? "ok" : "error"}`}>{log.intact ? "intact" : "changed by hand"}</span>
      </div>
      <section class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">On</th>
            </tr>
          </thead>
          <tbody>
            {log.entries.toReversed().map(({ seq, at, actor, action, target }) => (
              <tr key={seq}>
                <td>
                  <Time at={at} />
                </td>
                <td>{actor}</td>
                <td>{action}</td>
                <td>{target}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
