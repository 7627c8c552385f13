import { expect, test, vi } from "vitest";
import { startMemoryServer } from "../../../../test/harness/rooms/memory/memory-server.ts";

const files = {
  "_bmad/_memory/failure-museum.md": "## 🔴 Critiques\n### [2026-01-01] [dev] CC-FAIL — Late\n**Lesson**: early\n",
  "_bmad/_memory/config.yaml": "a: 1\n",
  "secret.txt": "not one of them",
};

async function read(client: Awaited<ReturnType<typeof startMemoryServer>>["client"], uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  return content && "text" in content ? content.text : "";
}

test("the project's BMAD files, and nothing else of it", async () => {
  const { client } = await startMemoryServer({ files });
  const listed = JSON.parse(await read(client, "bmad://files"));
  expect(listed.files.map(({ path }: { path: string }) => path)).toEqual([
    "_bmad/_memory/config.yaml",
    "_bmad/_memory/failure-museum.md",
  ]);
  expect(await read(client, `bmad://files/${encodeURIComponent("_bmad/_memory/config.yaml")}`)).toBe("a: 1\n");
  for (const path of ["secret.txt", "../secret.txt", "_bmad/../secret.txt"])
    await expect(read(client, `bmad://files/${encodeURIComponent(path)}`)).rejects.toThrow("not one of");
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: "bmad://files/{path}" },
    argument: { name: "path", value: "_bmad/_memory/f" },
  });
  expect(completion.values).toEqual(["_bmad/_memory/failure-museum.md"]);
});

test("memories by collection, and the museum with what was filed", async () => {
  const { client, ok, fails } = await startMemoryServer({ files });
  const [{ resources }, { resourceTemplates }] = [await client.listResources(), await client.listResourceTemplates()];
  expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(["bmad://files", "forge://failures"]));
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
    "bmad://files/{path}",
    "forge://memories/{collection}",
  ]);
  const collection = { name: "collection", value: "de" };
  const ref = { type: "ref/resource" as const, uri: "forge://memories/{collection}" };
  expect((await client.complete({ ref, argument: collection })).completion.values).toEqual(["decisions"]);
  await ok("remember_structured", { type: "decisions", agent: "dev", text: "Use tabs" });
  await ok("record_failure", { title: "Merged without review", category: "PROCESS-SKIP", severity: "minor" });
  expect(JSON.parse(await read(client, "forge://memories/decisions")).memories).toMatchObject([{ text: "Use tabs" }]);
  expect(JSON.parse(await read(client, "forge://memories/stories")).memories).toEqual([]);
  await expect(read(client, "forge://memories/nope")).rejects.toThrow("not found");
  const { failures } = JSON.parse(await read(client, "forge://failures"));
  expect(failures.map(({ title }: { title: string }) => title)).toEqual(["Late", "Merged without review"]);
  expect((await fails("record_failure", { title: "x ghp_0123456789abcdefghijABCDEFGHIJ012345" })).code).toBe(
    "VALIDATION_ERROR",
  );
});

test("subscribers hear of new memories", async () => {
  const { client, ok } = await startMemoryServer({ files });
  let heard: (uri: string) => void = () => undefined;
  const updated = new Promise<string>((resolve) => {
    heard = resolve;
  });
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => heard(params.uri));
  await client.subscribeResource({ uri: "forge://memories/decisions" });
  await ok("remember_structured", { type: "decisions", agent: "dev", text: "Use spaces" });
  expect(await updated).toBe("forge://memories/decisions");
});

test("subscribers hear of changed BMAD files, and of no others", async () => {
  const { client, write } = await startMemoryServer({ files: { ...files, "_bmad/_memory/memories.json": "[]" } });
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  const config = `bmad://files/${encodeURIComponent("_bmad/_memory/config.yaml")}`;
  for (const uri of [config, `bmad://files/${encodeURIComponent("_bmad/_memory/memories.json")}`, "bmad://files"])
    await client.subscribeResource({ uri });
  // Until the first look is over, a change may be taken for what was there before.
  for (let round = 0; heard.length < 2 && round < 50; round++) {
    write("_bmad/_memory/config.yaml", `a: ${round}\n`);
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(1), { timeout: 250 }).catch(() => undefined);
  }
  expect([...new Set(heard)].sort()).toEqual(["bmad://files", config]);
});
