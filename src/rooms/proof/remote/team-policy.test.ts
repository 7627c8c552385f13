import { expect, it } from "vitest";
import { ForgeError } from "../../../kernel/errors.ts";
import { localPrincipal } from "../../../kernel/principal.ts";
import { RemoteTeamPolicy } from "./team-policy.ts";

const call = { signal: new AbortController().signal, principal: localPrincipal("ada") };

it("says that a server is too old if it has no policy, and leaves other errors as they are", async () => {
  const policyOf = (answer: () => unknown) =>
    new RemoteTeamPolicy({ request: async () => answer() } as never).policy({}, call as never);
  const fail = (code: "NOT_FOUND" | "NETWORK_ERROR") => () => {
    throw new ForgeError(code, "no");
  };
  await expect(policyOf(fail("NOT_FOUND"))).rejects.toThrow("too old");
  await expect(policyOf(() => ({}))).rejects.toThrow("too old");
  await expect(policyOf(fail("NETWORK_ERROR"))).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  expect(await policyOf(() => ({ proof: "warn", ciOnly: false }))).toEqual({ proof: "warn", ciOnly: false });
});

it("knows CI by the scope that only a token for CI has", async () => {
  const isCi = (me: unknown, { isGiven = true, kind = "command", atKeyboard = false } = {}) => {
    const policy = new RemoteTeamPolicy({ request: async () => me, identity: async () => ({ isGiven }) } as never);
    return policy.isCi({ ...call, principal: { ...localPrincipal("ada"), atKeyboard }, record: { kind } } as never);
  };
  expect(await isCi({ scopes: ["tickets:write", "proof:write"] })).toBe(true);
  for (const me of [{ scopes: ["tickets:write"] }, { scopes: "proof:write" }, {}, null])
    expect(await isCi(me)).toBe(false);
  // A server that says so of a person's sign-in, of a person at a terminal or of an assistant spares no question.
  for (const who of [{ isGiven: false }, { kind: "tool" }, { atKeyboard: true }])
    expect(await isCi({ scopes: ["proof:write"] }, who)).toBe(false);
});
