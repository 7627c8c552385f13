import type { Check } from "../model.ts";

const needed = [20, 19] as const;

export const node: Check = {
  id: "node",
  title: "Node.js",
  look({ nodeVersion }) {
    const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
    if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
      return { state: "ok", message: `Version ${nodeVersion}.` };
    }
    return {
      state: "problem",
      message: `Version ${nodeVersion} is too old; Forge needs ${needed.join(".")} or newer.`,
      next: ["Install a newer Node.js (https://nodejs.org) and start Forge with it."],
    };
  },
};
