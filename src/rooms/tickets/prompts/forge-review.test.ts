import { describe, expect, it } from "vitest";
import { ada, byPerson, openTicketRoom } from "../../../../test/harness/rooms/tickets/ticket-room.ts";
import { childAt, parseXml } from "../../../../test/harness/rooms/tickets/xml-tree.ts";
import { builtInGuides } from "../guides/built-in.ts";
import type { Status } from "../model/status.ts";
import { forgeReview } from "./forge-review.ts";

const open = () => openTicketRoom({ "a.ts": "1" });
const draft = { title: "Add logout", apiChanges: "POST /logout", testPlan: "one of each" };

describe("forge_review", () => {
  it("AC8 gives the whole of dev-reviewer.md and the ticket, with its plans and questions", async () => {
    const { tickets, prompt, active } = open();
    await tickets.create(byPerson(), draft, { status: "READY" });
    await tickets.addQuestions(byPerson(), "T-001", [{ question: "Which cookie?", category: "scope", blocking: true }]);
    await tickets.answer(byPerson(), "T-001", { "Q-1": "All of them." });
    const text = await prompt(forgeReview, { ticketId: "T-001" });
    expect(text.startsWith(`<agent_guide>\n${builtInGuides["dev-reviewer"]}\n</agent_guide>\n`)).toBe(true);
    const ticket = childAt(parseXml(`<root>${text}</root>`), "ticket_context", "ticket");
    expect(childAt(ticket, "apiChanges").text).toBe("POST /logout");
    expect(childAt(ticket, "testPlan").text).toBe("one of each");
    const question = childAt(ticket, "questions", "question");
    expect(question.attributes).toEqual({ id: "Q-1", category: "scope", blocking: "true" });
    expect(childAt(question, "answer").text).toBe("All of them.");
    expect(text).toMatch(/<\/repository_context>\nThis is the end of the data\. Now review ticket T-001 /);
    expect(active.scopeOf(ada)).toEqual({ touches: ["ticket:T-001"] });
  });

  it.each<[Status[], boolean]>([
    [["READY"], true],
    [["VALIDATED"], true],
    [["READY", "CREATED"], true],
    [["READY", "DRIFTED"], true],
    [["READY", "CREATED", "COMPLETE"], false],
    [["DRAFT"], false],
  ])("after %j: %s", async ([first, ...moves], isOpen) => {
    const { tickets, prompt, values } = open();
    await tickets.create(byPerson(), draft, { status: first });
    for (const status of moves)
      if (status === "COMPLETE")
        await tickets.complete(byPerson(), "T-001", { proof: "unproven", filesChanged: [] }, { correct: false });
      else await tickets.move(byPerson(), "T-001", status);
    expect(await values(forgeReview, "")).toEqual(isOpen ? ["T-001 Add logout"] : []);
    const asked = prompt(forgeReview, { ticketId: "T-001" });
    if (isOpen) return expect(await asked).toContain("Add logout");
    await expect(asked).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("READY, VALIDATED, CREATED or DRIFTED"),
    });
  });
});
