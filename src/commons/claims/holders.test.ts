import { expect, it } from "vitest";
import { localPrincipal, type Principal } from "../../kernel/principal.ts";
import { holderOf, isHolder } from "./holders.ts";

const onServer = (id: string, name: string, extra: Partial<Principal> = {}): Principal => ({
  kind: "user",
  id,
  name,
  agent: "claude-code",
  instance: "one",
  scopes: ["tickets:read", "tickets:write"],
  ...extra,
});

it("K07 a mark that everybody sees is no one else's to use", () => {
  const holder = holderOf(onServer("u1", "Ada"), undefined);
  expect(isHolder(holder, onServer("u1", "Ada"))).toBe(true);
  expect(isHolder(holder, onServer("u2", "Ada"))).toBe(false);
  const [, mark = ""] = holder.split("#");
  expect(isHolder(holder, onServer("u2", "Ada", { instance: mark }))).toBe(false);
  expect(holder).not.toContain("one");
});

it("a person's word goes over their assistants' claims, an admin's over all, a laptop's over any", () => {
  const holder = holderOf(onServer("u1", "Ada"), undefined);
  const person = (id: string, name: string, scopes: Principal["scopes"] = ["tickets:write"]): Principal => ({
    kind: "user",
    id,
    name,
    scopes,
    atKeyboard: true,
  });
  expect(isHolder(holder, person("u1", "Ada"))).toBe(true);
  expect(isHolder(holder, person("u2", "Bob"))).toBe(false);
  expect(isHolder(holder, person("u3", "Cid", ["tickets:write", "access:write"]))).toBe(true);
  expect(isHolder(holder, { ...localPrincipal("bob"), atKeyboard: true })).toBe(true);
});

it("a name cannot pose as the marks between its parts", () => {
  const holder = holderOf(onServer("u1", "Ada/x#y:z", { agent: "a/b#c:d" }), "w#1");
  expect(holder).toMatch(/^Ada%2Fx%23y%3Az\/a%2Fb%23c%3Ad:worker-[0-9a-f]{12}$/);
});

it.each([
  ["a/b", "a_b"],
  ["a/b", "a%2Fb"],
  ["a:b", "a#b"],
  [`${"a".repeat(100)}b`, `${"a".repeat(100)}c`],
])("K07 what %s holds is not for %s to give up", (one, other) => {
  const person = { atKeyboard: true } as const;
  const holder = holderOf(onServer("u1", one), undefined);
  expect(isHolder(holder, onServer("u1", one, person))).toBe(true);
  expect(isHolder(holder, onServer("u2", other, person))).toBe(false);
  const named = holderOf(onServer("u1", "Ada", { agent: one }), "w");
  expect(isHolder(named, { kind: "user", id: "u1", name: "Ada", agent: other, scopes: [] })).toBe(false);
});
