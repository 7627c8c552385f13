import { useEffect, useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { team } from "../data/start.ts";
import { Avatar, Time } from "../parts/marks.tsx";
import { Loading, Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { say, showProblem } from "../parts/toast.tsx";

type Member = { userId: string; email: string; displayName: string; role: string; joinedAt: string };

const roles = ["admin", "member", "viewer"];

export function People() {
  const [members, setMembers] = useState<Member[] | undefined>();
  const id = team.value?.id ?? "";
  const isAdmin = team.value?.role === "admin";
  const read = () =>
    request<{ members: Member[] }>("GET", `/api/teams/${id}/members`).then(
      (answer) => setMembers(answer.members),
      showProblem,
    );
  useEffect(() => void read(), [id]);
  if (!members) return <Loading />;
  const setRole = async ({ userId, email }: Member, role: string) => {
    try {
      await request("PATCH", `/api/teams/${id}/members/${userId}`, { role });
      say(`${email} is now ${role}`);
    } catch (error) {
      showProblem(error);
    }
    await read();
  };
  return (
    <div class="page">
      <h1>People</h1>
      <Section title="Members">
        <Table
          label="Members"
          rows={members}
          keyOf={({ userId }) => userId}
          columns={[
            {
              title: "Name",
              cell: ({ displayName, email }) => (
                <>
                  <Avatar name={displayName || email} /> {displayName}
                </>
              ),
            },
            { title: "Email", cell: ({ email }) => email },
            {
              title: "Role",
              cell: (member) =>
                isAdmin ? (
                  <select
                    aria-label={`Role of ${member.email}`}
                    value={member.role}
                    onChange={(event) => void setRole(member, event.currentTarget.value)}
                  >
                    {roles.map((role) => (
                      <option key={role}>{role}</option>
                    ))}
                  </select>
                ) : (
                  member.role
                ),
            },
            { title: "Joined", cell: ({ joinedAt }) => <Time at={joinedAt} /> },
          ]}
        />
      </Section>
      {isAdmin && (
        <p class="muted">
          Invite someone with <code>forge invite --email EMAIL</code>.
        </p>
      )}
    </div>
  );
}
