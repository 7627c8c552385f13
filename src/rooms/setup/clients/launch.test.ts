import { expect, test } from "vitest";
import { forgeLaunchOf, judgeEntry, type LaunchFacts, type LaunchWish, launchFor } from "./launch.ts";

const facts: LaunchFacts = {
  platform: "linux",
  version: "1.2.3",
  nameOnPath: "forge",
  node: "/opt/node",
  script: "/opt/forge/bin/forge.cjs",
};
const shared: LaunchWish = { isShared: true, npx: false, isNpxAsked: false, withoutPath: false, project: undefined };
const own: LaunchWish = { ...shared, isShared: false };
const npx: LaunchWish = { ...shared, npx: true, isNpxAsked: true };

const line = (more: Partial<LaunchFacts>, wish: LaunchWish) => {
  const { command, args } = launchFor({ ...facts, ...more }, wish);
  return [command, ...args].join(" ");
};

test.each<[string, Partial<LaunchFacts>, LaunchWish, string]>([
  ["a project's file", {}, shared, "forge mcp"],
  ["another program is called forge", { nameOnPath: "forge-mcp" }, shared, "forge-mcp mcp"],
  ["a project's file names no path of this machine", { nameOnPath: undefined }, shared, "forge mcp"],
  ["the person's own file", {}, own, "forge mcp"],
  ["the person's own file, not on the path", { nameOnPath: undefined }, own, "/opt/node /opt/forge/bin/forge.cjs mcp"],
  ["a client without a search path", {}, { ...own, withoutPath: true }, "/opt/node /opt/forge/bin/forge.cjs mcp"],
  ["Windows cannot start scripts by name", { platform: "win32" }, own, "/opt/node /opt/forge/bin/forge.cjs mcp"],
  ["npx is pinned (I22)", {}, npx, "npx -y forge-mcp@1.2.3 mcp"],
  ["npx on Windows", { platform: "win32" }, npx, "cmd /c npx -y forge-mcp@1.2.3 mcp"],
  ["a client without a project", {}, { ...own, project: "/home/ada/shop" }, "forge mcp --project /home/ada/shop"],
])("%s", (_what, more, wish, expected) => {
  expect(line(more, wish)).toBe(expected);
});

const split = (text: string) => {
  const [command = "", ...args] = text.split(" ");
  return { command, args };
};

test.each<[string, LaunchWish, string]>([
  ["forge mcp", shared, "right"],
  ["forge-mcp mcp", shared, "right"],
  ["forge.cmd mcp", shared, "right"],
  ["npx -y forge-mcp@0.9.0 mcp", shared, "right"],
  ["/usr/bin/node /somewhere/bin/forge.cjs mcp", shared, "right"],
  ["forge mcp --read-only", shared, "own"],
  ["forge mcp", npx, "outdated"],
  ["npx -y forge-mcp@0.9.0 mcp", npx, "outdated"],
  ["npx --yes forge-mcp@1.2.3 mcp", npx, "right"],
  ["cmd /c npx -y forge-mcp@1.2.3 mcp", npx, "right"],
  ["/old/node /old/bin/forge.cjs mcp", own, "outdated"],
  ["forge mcp --project /a", { ...own, project: "/a" }, "right"],
  ["forge mcp --project /b", { ...own, project: "/a" }, "outdated"],
  ["forge build", shared, "stranger"],
  ["npx -y forge-mcp-evil mcp", shared, "stranger"],
  ["npx -y @evil/forge-mcp mcp", shared, "stranger"],
  ["node /a/server.js mcp", shared, "stranger"],
  ["forge mcp --project /b", shared, "own"],
  ["./tools/forge mcp", shared, "stranger"],
  ["tools\\forge.cmd mcp", shared, "stranger"],
  ["\\\\host\\share\\forge.exe mcp", shared, "stranger"],
  ["C:\\Forge\\forge.exe mcp", shared, "right"],
  ["cmd /c .\\forge.cmd mcp", shared, "stranger"],
  ["./node /opt/bin/forge.cjs mcp", shared, "stranger"],
  ["node ./tools/forge.cjs mcp", shared, "stranger"],
  ["node forge.cjs mcp", shared, "stranger"],
  ["npx -y forge-mcp@npm:evil@1.0.0 mcp", shared, "stranger"],
  ["npx -y forge-mcp@file:tools mcp", shared, "stranger"],
  ["npx -y --package=evil forge-mcp mcp", shared, "stranger"],
  ["npx --prefix=tools forge-mcp mcp", shared, "stranger"],
])("`%s` is judged", (text, wish, verdict) => {
  expect(judgeEntry(split(text), launchFor(facts, wish), wish)).toBe(verdict);
});

test("what a launch starts is seen through Windows' ways of writing it", () => {
  expect(
    forgeLaunchOf({ command: "CMD", args: ["/C", "C:\\npm\\npx.CMD", "-y", "forge-mcp@2.0.0", "mcp"] }),
  ).toMatchObject({
    by: "npx",
    version: "2.0.0",
    isPlain: true,
  });
});
