import { expect, it } from "vitest";
import { isNewEnough, requireVersion } from "./version.ts";

it.each([
  ["git version 2.31.0", true],
  ["git version 2.39.5 (Apple Git-154)", true],
  ["git version 2.45.1.windows.1", true],
  ["git version 3.0.0", true],
  ["git version 2.30.2", false],
  ["git version 1.99.0", false],
  ["something else", false],
])("%s: %s", (text, fit) => expect(isNewEnough(text)).toBe(fit));

it("names the version that is too old, and asks a good one only once", async () => {
  const old = requireVersion(async () => ({ stdout: Buffer.from("git version 2.20.1\n") }), "/opt/old/git");
  await expect(old).rejects.toMatchObject({ code: "DEPENDENCY_ERROR", message: expect.stringContaining("2.20.1") });
  let asked = 0;
  const ask = async () => {
    asked++;
    return { stdout: Buffer.from("git version 2.44.0\n") };
  };
  await requireVersion(ask, "/opt/new/git");
  await requireVersion(ask, "/opt/new/git");
  expect(asked).toBe(1);
});
