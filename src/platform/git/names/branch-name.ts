import { ForgeError } from "../../../kernel/errors.ts";
import { showPath } from "../../files/root/relative-path.ts";

const maxNameBytes = 240;

/** What git refuses in a branch's name (`git help check-ref-format`), and what could be taken for something else. */
const refusals: [why: string, test: (name: string) => boolean][] = [
  ["is empty", (name) => name === ""],
  [`is longer than ${maxNameBytes} bytes`, (name) => Buffer.byteLength(name) > maxNameBytes],
  ["starts with a dash", (name) => name.startsWith("-")],
  ["contains a control character, a space, or one of ~ ^ : ? * [ \\", (name) => /[\p{Cc}\p{Cs} ~^:?*[\\]/u.test(name)],
  ["contains two dots in a row", (name) => name.includes("..")],
  ["contains @{", (name) => name.includes("@{")],
  ["ends in a dot", (name) => name.endsWith(".")],
  ["has an empty part between slashes", (name) => name.split("/").includes("")],
  ["has a part that starts with a dot", (name) => name.split("/").some((part) => part.startsWith("."))],
  ["has a part that ends in .lock", (name) => name.split("/").some((part) => part.endsWith(".lock"))],
  ["has a special meaning in git", (name) => name === "@" || name === "HEAD" || name.startsWith("refs/")],
  ["looks like a commit id", (name) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name)],
];

export function requireBranchName(branch: string): void {
  const refusal = refusals.find(([, test]) => test(branch));
  if (!refusal) return;
  throw new ForgeError("VALIDATION_ERROR", `The branch name ${showPath(branch)} ${refusal[0]}.`, {
    details: { branch: branch.slice(0, maxNameBytes) },
    next: ["Use letters, digits and dashes: task-12-login."],
  });
}

export function refOf(branch: string): string {
  requireBranchName(branch);
  return `refs/heads/${branch}`;
}

export function requireCommitId(commit: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return commit;
  throw new ForgeError("VALIDATION_ERROR", `${showPath(commit)} is not a full commit id.`, {
    details: { expected: "40 (or 64) hexadecimal digits" },
    next: ["Pass the id that `git rev-parse` prints."],
  });
}
