import { describe, expect, it } from "vitest";
import { SpokenStatuses } from "./spoken.ts";

function having(...heard: unknown[]): SpokenStatuses {
  const spoken = new SpokenStatuses();
  for (const word of heard) spoken.hear(word);
  return spoken;
}

describe("the words a server has for statuses", () => {
  it.each([
    [[], "ready"],
    [["draft"], "ready"],
    [["validated"], "ready"],
    [["dev-refining"], "forged"],
    [["executing", "complete"], "forged"],
    [["executing", "delivered"], "approved"],
    [["defined"], "approved"],
    [["in-question-round-2"], "ready"],
    [["VALIDATED"], "READY"],
    [["complete", "nonsense", 7, undefined], "ready"],
  ])("are learned from those it sent: %j, so READY is %s", (heard, expected) => {
    expect(having(...heard).say("READY")[0]).toBe(expected);
  });

  it("are all tried where what it sent leaves them open, and one where not", () => {
    expect(having("draft").say("READY")).toEqual(["ready", "forged", "approved"]);
    expect(having("executing").say("COMPLETE")).toEqual(["complete", "delivered"]);
    expect(having("forged").say("COMPLETE")).toEqual(["complete"]);
  });

  it("change with the server's generation", () => {
    expect(having("forged", "approved").say("VALIDATED")).toEqual(["defined"]);
  });

  it("are spelled as it spells them", () => {
    expect(having("IN_QUESTION_ROUND_1").say("QUESTIONS_COMPLETE")).toEqual(["QUESTIONS_COMPLETE"]);
  });

  it("may be missing, which is said with those there are", () => {
    expect(() => having("approved").say("DRIFTED")).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", details: expect.objectContaining({ status: "DRIFTED" }) }),
    );
  });
});
