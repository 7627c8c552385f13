import { expect, test } from "vitest";
import { type RunningProgram, startForge } from "../harness/cli/program.ts";
import { makeSandbox } from "../harness/git/git.ts";

const writers = 6;
const each = 20;

async function call(program: RunningProgram, name: string, args: Record<string, unknown>) {
  const { result } = await program.call(name, args);
  const { structuredContent, isError, content } = result as Record<string, unknown>;
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as Record<string, unknown>;
}

test("several processes write tickets in two work trees at once: nothing is lost, no id is given twice", async () => {
  const sandbox = makeSandbox();
  try {
    const main = sandbox.repository("project", { "a.txt": "1" });
    const linked = `${sandbox.root}/linked`;
    sandbox.git(main, "worktree", "add", "--quiet", "-b", "feature", linked);
    const { HOME = "" } = sandbox.environment;
    const programs = Array.from({ length: writers }, (_, index) =>
      startForge(["mcp"], { cwd: index % 2 ? linked : main, env: { HOME } }),
    );
    const [first] = programs;
    if (!first) throw new Error("no writer");
    const shared = await call(first, "create_ticket", { title: "Shared by all" });
    const ids = await Promise.all(
      programs.map(async (program, writer) => {
        const made: unknown[] = [];
        for (let count = 0; count < each; count++) {
          const { ticketId } = await call(program, "create_ticket", { title: `Writer ${writer} ticket ${count}` });
          const questions = [{ question: `Writer ${writer} asks ${count}?` }];
          await call(program, "submit_review_questions", { ticketId: shared["ticketId"], questions });
          made.push(ticketId);
        }
        return made;
      }),
    );
    expect(new Set(ids.flat()).size).toBe(writers * each);
    const { questions, revision } = await call(first, "get_ticket_context", { ticketId: shared["ticketId"] });
    const asked = (questions as { id: string; question: string }[]).map(({ question }) => question);
    expect(new Set(asked).size).toBe(writers * each);
    expect(asked).toHaveLength(writers * each);
    expect(revision).toBe(1 + writers * each);
    const listed = await call(first, "list_tickets", { limit: 200 });
    expect(listed["tickets"]).toHaveLength(writers * each + 1);
  } finally {
    sandbox.dispose();
  }
});
