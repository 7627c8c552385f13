const maxIdLength = 40;
const maxSlugLength = 40;
const maxTries = 50;

/** `task-xyz789-add-user-authentication`: safe as a git ref, a file name and a shell word, whatever the task is called. */
export function createBranchName(task: { id: string; name: string }, executionId: string): string {
  const id = slugify(task.id, maxIdLength) || executionId;
  const slug = slugify(task.name.toLowerCase(), maxSlugLength);
  return slug === "" ? `task-${id}` : `task-${id}-${slug}`;
}

/** The first of `name`, `name-2`, `name-3` … that is free; undefined if too many are taken. */
export async function findFreeBranchName(
  name: string,
  isTaken: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (let number = 1; number <= maxTries; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(await isTaken(candidate))) return candidate;
  }
  return undefined;
}

function slugify(text: string, longest: number): string {
  const words = text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_]/)
    .filter((word) => word !== "");
  return shorten(words.join("-"), longest);
}

/** At the end of a word, if there is one. */
function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const short = text.slice(0, longest);
  const end = text.charAt(longest) === "-" ? longest : short.lastIndexOf("-");
  return end > 0 ? short.slice(0, end) : short;
}
