import { useEffect, useState } from "preact/hooks";
import { request } from "../data/api.ts";
import { team } from "../data/start.ts";
import { Avatar, Time } from "../parts/marks.tsx";
import { Loading } from "../parts/page.tsx";
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
      <section class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Email</th>
              <th scope="col">Role</th>
              <th scope="col">Joined</th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.userId}>
                <td>
                  <Avatar name={member.displayName || member.email} /> {member.displayName}
                </td>
                <td>{member.email}</td>
                <td>
                  {isAdmin ? (
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
                  )}
                </td>
                <td>
                  <Time at={member.joinedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isAdmin && (
        <p class="muted">
          Invite someone with <code>forge invite EMAIL</code>.
        </p>
      )}
    </div>
  );
}
