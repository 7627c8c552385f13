import { expect, test } from "vitest";
import { CliProject, type RunOptions } from "../../../../test/harness/cli/cli.ts";
import type { App } from "../../../commons/cli/app.ts";

const wish = {
  caller: '["local:ada","claude-code"]',
  sha256: "c".repeat(64),
  action: { summary: "Write docs/public.md", touches: ["file:docs/public.md"], content: "x" },
};

/** A project in which an assistant waits for this change, and a user who answers so. */
async function waitingProject(answer?: boolean) {
  const project = new CliProject();
  const claim = () => project.inside(async (program) => (await program.store()).guard.approvals.claim(wish));
  const first = await claim();
  const id = "id" in first ? first.id : "";
  const asked: string[] = [];
  const answering = ({ person }: App): Partial<App> => ({
    person: {
      ...person,
      confirm: async (question) => {
        asked.push(question);
        return answer;
      },
    },
  });
  const forge = (line: string, options: RunOptions = {}) => project.run(line, { with: answering, ...options });
  return { id, asked, forge, verdict: async () => (await claim()).verdict };
}

test("lists the changes that wait", async () => {
  const { id, forge } = await waitingProject();
  const { out } = await forge("approve");
  for (const shown of [id, "claude-code (ada)", "Write docs/public.md"]) expect(out).toContain(shown);
  expect(JSON.parse((await forge("approve --json")).out)).toMatchObject([{ id, sha256: wish.sha256 }]);
  expect((await new CliProject().run("approve")).out).toBe("No changes are waiting for approval.\n");
});

test("shows one, asks, and approves exactly what was shown, once", async () => {
  const { id, asked, forge, verdict } = await waitingProject(true);
  const { code, err, out } = await forge(`approve ${id}`);
  expect(code).toBe(0);
  for (const shown of ["claude-code", "Write docs/public.md", "file:docs/public.md", wish.sha256]) {
    expect(err).toContain(shown);
  }
  expect(asked).toEqual(["Approve exactly what is shown?"]);
  expect(out).toBe("Approved. The assistant can make the same call again.\n");
  expect(await verdict()).toBe("approved");
  expect(await verdict()).toBe("waiting");
});

test.each([
  ["a no", false, ""],
  ["no terminal", undefined, ""],
  ["an unknown id", true, "00000000"],
  ["an unknown id to deny", true, "00000000 --deny"],
])("%s decides nothing", async (_what, answer, other) => {
  const { id, forge, verdict } = await waitingProject(answer);
  expect((await forge(`approve ${other || id}`)).code).toBe(1);
  expect(await verdict()).toBe("waiting");
});

test("--deny does not ask; nothing approves without asking", async () => {
  const { id, asked, forge, verdict } = await waitingProject();
  expect((await forge(`approve ${id} --yes`)).code).not.toBe(0);
  expect(await verdict()).toBe("waiting");
  expect((await forge(`approve ${id} --deny`)).code).toBe(0);
  expect(asked).toEqual([]);
  expect(await verdict()).toBe("denied");
});
