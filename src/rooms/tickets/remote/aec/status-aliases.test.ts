import { describe, expect, it } from "vitest";
import { StatusAliases } from "./status-aliases.ts";

function having(...heard: unknown[]): StatusAliases {
  const spoken = new StatusAliases();
  for (const word of heard) spoken.learn(word);
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
    expect(having(...heard).aliasesOf("READY")[0]).toBe(expected);
  });

  it("are all tried where what it sent leaves them open, and one where not", () => {
    expect(having("draft").aliasesOf("READY")).toEqual(["ready", "forged", "approved"]);
    expect(having("executing").aliasesOf("COMPLETE")).toEqual(["complete", "delivered"]);
    expect(having("forged").aliasesOf("COMPLETE")).toEqual(["complete"]);
  });

  it("change with the server's generation", () => {
    expect(having("forged", "approved").aliasesOf("VALIDATED")).toEqual(["defined"]);
  });

  it("are spelled as it spells them", () => {
    expect(having("IN_QUESTION_ROUND_1").aliasesOf("QUESTIONS_COMPLETE")).toEqual(["QUESTIONS_COMPLETE"]);
  });

  it("may be missing, which is said with those there are", () => {
    expect(() => having("approved").aliasesOf("DRIFTED")).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", details: expect.objectContaining({ status: "DRIFTED" }) }),
    );
  });
});
