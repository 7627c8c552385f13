import { facts } from "../data/start.ts";

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
      <section class="table-box">
        <h2>Toolsets</h2>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Toolset</th>
              <th scope="col">Served</th>
              <th scope="col">Why</th>
              <th scope="col">Tools</th>
              <th scope="col">Tokens (approx.)</th>
            </tr>
          </thead>
          <tbody>
            {toolsets.map(({ name, title, served, reason, tools, tokens }) => (
              <tr key={name}>
                <td>{title}</td>
                <td>{served ? "yes" : "no"}</td>
                <td>{reason}</td>
                <td>{tools}</td>
                <td>{tokens}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="muted">
        Forge {version}, serving <code>{project?.path}</code>
      </p>
    </div>
  );
}
