import { useEffect, useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { Time } from "../parts/marks.tsx";
import { Loading, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { say, showProblem } from "../parts/toast.tsx";

type Token = {
  id: string;
  name: string;
  owner: string;
  scopes: string[];
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
};

const readScopes = ["tickets:read", "activity:read"];
const writeScopes = ["tickets:write", "activity:write"];

export function Tokens() {
  const [tokens, setTokens] = useState<Token[] | undefined>();
  const [secret, setSecret] = useState("");
  const read = () =>
    request<{ tokens: Token[] }>("GET", "/api/tokens").then((answer) => setTokens(answer.tokens), showProblem);
  useEffect(() => void read(), []);
  if (!tokens) return <Loading />;
  const revoke = async ({ id, name }: Token) => {
    try {
      await request("DELETE", `/api/tokens/${id}`);
      say(`Revoked ${name}`);
    } catch (error) {
      showProblem(error);
    }
    await read();
  };
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    const scopes = given.get("access") === "write" ? [...readScopes, ...writeScopes] : readScopes;
    const days = Number(given.get("days"));
    try {
      const made = await request<Token & { secret: string }>("POST", "/api/tokens", {
        ...{ name: String(given.get("name")), scopes },
        ...(days > 0 && { days }),
      });
      setSecret(made.secret);
      form.reset();
    } catch (error) {
      showProblem(error);
    }
    await read();
  };
  return (
    <div class="page">
      <h1>Tokens</h1>
      <section>
        <h2>New token</h2>
        <form class="form" onSubmit={create}>
          <div class="form-row">
            <label>
              What it is for
              <input name="name" required maxLength={100} />
            </label>
            <label>
              Access
              <select name="access">
                <option value="read">Read</option>
                <option value="write">Read and write</option>
              </select>
            </label>
            <label>
              Expires after (days)
              <input name="days" type="number" min={1} max={3650} placeholder="Never" />
            </label>
          </div>
          <div class="form-buttons">
            <button type="submit" class="primary">
              Create token
            </button>
          </div>
        </form>
        {secret !== "" && (
          <p role="status">
            This is shown only once. Store it like a password: <code>{secret}</code>
          </p>
        )}
      </section>
      <Section title="Your tokens">
        <Table
          label="Tokens"
          rows={tokens}
          keyOf={({ id }) => id}
          none="None yet."
          columns={[
            { title: "Name", cell: ({ name }) => name },
            { title: "Owner", cell: ({ owner }) => owner },
            { title: "Allows", cell: ({ scopes }) => scopes.join(", ") },
            {
              title: "Last used",
              cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "Never" : <Time at={lastUsedAt} />),
            },
            {
              title: "Expires",
              cell: ({ expiresAt }) => (expiresAt === undefined ? "Never" : <Time at={expiresAt} />),
            },
            {
              title: "Revoke",
              cell: (token) => (
                <button type="button" aria-label={`Revoke ${token.name}`} onClick={() => void revoke(token)}>
                  Revoke
                </button>
              ),
            },
          ]}
        />
      </Section>
    </div>
  );
}
