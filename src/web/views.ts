import { computed } from "@preact/signals";
import { facts, team } from "./data/start.ts";

type View = { path: string; title: string; key: string };

/** What can be shown here, with the key that follows `g`. */
export const views = computed<View[]>(() => {
  const isProject = facts.value?.place === "project";
  const isAdmin = team.value?.role === "admin";
  return [
    { path: "", title: "Board", key: "b" },
    { path: "list", title: "List", key: "l" },
    { path: "activity", title: "Activity", key: "a" },
    ...(isProject
      ? [
          { path: "executions", title: "Executions", key: "x" },
          { path: "tasks", title: "Tasks", key: "t" },
          { path: "proof", title: "Proof", key: "p" },
          { path: "governance", title: "Governance", key: "g" },
          { path: "registry", title: "Registry", key: "r" },
          { path: "memory", title: "Memory", key: "m" },
          { path: "connect", title: "Connect", key: "c" },
        ]
      : [
          { path: "governance", title: "Governance", key: "g" },
          { path: "registry", title: "Registry", key: "r" },
          { path: "people", title: "People", key: "p" },
          { path: "tokens", title: "Tokens", key: "k" },
          ...(isAdmin ? [{ path: "audit", title: "Audit", key: "u" }] : []),
        ]),
  ];
});
