/** The output of strace for the sweep's target. */
export type TracedCall = { thread: string; name: string; nth: number; line: string; injected: boolean };

const begin = "/forge-sweep-begin";
const end = "/forge-sweep-end";

/** The calls between the marks that are the operation's own, each with its number among those of its name and thread. */
export function callsOf(log: string): { calls: TracedCall[]; ended: boolean } {
  const counts = new Map<string, number>();
  const calls: TracedCall[] = [];
  const wakeUps = new Set([...log.matchAll(/ write\((\d+), "\\1\\0\\0\\0\\0\\0\\0\\0", 8/g)].map(([, fd = ""]) => fd));
  let inside = false;
  for (const line of log.split("\n")) {
    const [, thread = "", name = "", descriptor = ""] = /^(\d+) +(\w+)\((\d*)/.exec(line) ?? [];
    if (name === "") continue;
    const nth = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, nth);
    if (line.includes(end)) return { calls, ended: true };
    // Threads wake each other through a descriptor of their own; that is the runtime's business.
    const isOwn = !(/^(read|write)$/.test(name) && wakeUps.has(descriptor));
    if (inside && isOwn) calls.push({ thread, name, nth, line, injected: line.includes("(INJECTED)") });
    if (line.includes(begin)) inside = true;
  }
  return { calls, ended: false };
}

export function sawBegin(log: string): boolean {
  return log.includes(begin);
}

/** A call that another thread's call interrupted is told in two lines; the second says what became of it. */
export function joinedLines(log: string): string {
  const open = new Map<string, number>();
  const lines: string[] = [];
  for (const line of log.split("\n")) {
    const [, thread = "", rest] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    const started = open.get(thread);
    if (rest !== undefined && started !== undefined) {
      lines[started] = (lines[started] ?? "") + rest;
      open.delete(thread);
      continue;
    }
    const unfinished = /^(\d+) +(.*) <unfinished \.\.\.>$/.exec(line);
    if (unfinished?.[1]) open.set(unfinished[1], lines.length);
    lines.push(unfinished ? `${unfinished[1]} ${unfinished[2]}` : line);
  }
  return lines.join("\n");
}
