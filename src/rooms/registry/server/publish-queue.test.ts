import { expect, test } from "vitest";
import { PublishQueue } from "./publish-queue.ts";

/** A queue whose packages are in work until the test ends them. */
function openQueue() {
  const queue = new PublishQueue();
  const ends: (() => void)[] = [];
  const publish = (team: string) => queue.run(team, () => new Promise<void>((resolve) => ends.push(resolve)));
  const isPublished = async (published: Promise<void>) => {
    // The first one is in work as soon as what is waiting in Node's own queue has run.
    await new Promise(setImmediate);
    expect(ends).toHaveLength(1);
    ends.pop()?.();
    await published;
  };
  return { publish, isPublished };
}

const refusal = { code: "NETWORK_ERROR", details: { retryAfterSeconds: 5 } };

test("packages are unpacked one at a time, and only so many wait, of one team and of all", async () => {
  const { publish, isPublished } = openQueue();
  const ours = Array.from({ length: 8 }, () => publish("ours"));
  await expect(publish("ours")).rejects.toMatchObject(refusal);
  const theirs = Array.from({ length: 8 }, () => publish("theirs"));
  await expect(publish("others")).rejects.toMatchObject(refusal);
  for (const published of [...ours, ...theirs]) await isPublished(published);
  await isPublished(publish("others"));
});

test("one that fails leaves its place to the next", async () => {
  const queue = new PublishQueue();
  const fail = () => queue.run("ours", () => Promise.reject(new Error("It is empty.")));
  for (let index = 0; index < 10; index++) await expect(fail()).rejects.toThrow("It is empty.");
  expect(await queue.run("ours", async () => "published")).toBe("published");
});
