const longestId = 40;
const longestSlug = 40;
const mostTries = 50;

/** `task-xyz789-add-user-authentication`: safe as a name of git's, of a file and of a word in a shell, whatever the task is called. */
export function branchNameFor(task: { id: string; name: string }, executionId: string): string {
  const id = plain(task.id, longestId) || executionId;
  const slug = plain(task.name.toLowerCase(), longestSlug);
  return slug === "" ? `task-${id}` : `task-${id}-${slug}`;
}

/** The first of the name, `name-2`, `name-3` … that is free; undefined where so many are taken that something else is wrong. */
export async function freeBranchName(
  name: string,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (let number = 1; number <= mostTries; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await isTaken(candidate))) return candidate;
  }
  return undefined;
}

function plain(text: string, longest: number): string {
  const words = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_]/)
    .filter((word) => word !== "");
  return cut(words.join("-"), longest);
}

/** At a word's end where there is one. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const short = text.slice(0, longest);
  const end = text.charAt(longest) === "-" ? longest : short.lastIndexOf("-");
  return end > 0 ? short.slice(0, end) : short;
}
