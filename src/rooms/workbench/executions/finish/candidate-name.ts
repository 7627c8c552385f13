/** With the process that made it, so that it can be removed once that is gone. */
export function createCandidateName(execution: string, pid: number): string {
  return `merge_${execution}_${pid}`;
}

/** The process that a work tree for a merge belongs to; undefined for any other folder. */
export function findCandidateOwner(name: string): number | undefined {
  const pid = /^merge_\w+_(\d{1,10})$/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}
