import { expect, test } from "vitest";
import { init } from "../cli/init.ts";
import { clients } from "./clients.ts";
import { agentsBlock, skill } from "./texts.ts";

test("every client has a file, a sign and a name of its own", () => {
  expect(new Set(clients.map(({ id }) => id)).size).toBe(clients.length);
  for (const { files, signs } of clients) {
    expect(Object.keys(files).length).toBeGreaterThan(0);
    expect(Object.values(signs).flat().length).toBeGreaterThan(0);
  }
});

test("the help of `forge init` names them all", () => {
  expect(init.details).toContain(`Clients: ${clients.map(({ id }) => id).join(", ")}.`);
});

test("the skill is what its format asks for", () => {
  const [, name, description = ""] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(skill) ?? [];
  expect(name).toBe("forge");
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(skill.length).toBeLessThan(4000);
});

test("the note in AGENTS.md costs an assistant little", () => {
  expect(agentsBlock.length).toBeLessThan(800);
});
