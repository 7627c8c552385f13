import { readdirSync, readFileSync } from "node:fs";

const tickMs = 10;

/** Resident memory in MB; undefined without /proc. */
export function residentMb(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? "")?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** CPU time of a process's own threads in ms, to the microsecond; undefined if the kernel does not report it. */
export function cpuMs(pid: number): number | undefined {
  const times = threadsOf(pid).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ")[0]);
  const total = times.reduce((sum, nanoseconds) => sum + Number(nanoseconds ?? 0), 0);
  return total > 0 ? total / 1_000_000 : undefined;
}

/** CPU time of a process and of the children it has waited for. The kernel counts it in steps of 10 ms. */
export function familyCpuMs(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat
    ?.slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15);
  return fields?.reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
