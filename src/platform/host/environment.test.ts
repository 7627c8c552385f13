import { expect, it } from "vitest";
import { childEnvironment } from "./environment.ts";

it("passes on what is listed and nothing else", () => {
  const child = childEnvironment({
    PATH: "/bin",
    HOME: "/home/ada",
    LC_CTYPE: "C.UTF-8",
    TZ: undefined,
    FORGE_TOKEN: "x",
    GIT_SSH_COMMAND: "x",
    NODE_OPTIONS: "--require ./x",
    LD_PRELOAD: "x",
    BASH_ENV: "x",
    "BASH_FUNC_git%%": "() { x; }",
    SHELL: "/bin/sh",
  });
  expect(child).toEqual({ PATH: "/bin", HOME: "/home/ada", LC_CTYPE: "C.UTF-8" });
});
