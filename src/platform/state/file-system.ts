import { statfsSync } from "node:fs";

/** Linux's numbers for file systems whose files are on another machine, or seem to be. */
const overTheNetwork: Record<number, string> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB",
  16914839: "9p",
  1397113167: "AFS",
  12805120: "Ceph",
  198183888: "Lustre",
};

export function networkName(type: number): string | undefined {
  return overTheNetwork[type >>> 0];
}

/** The name of the network file system a folder is on; undefined on a local one, and where the system does not say. */
export function networkFileSystem(folder: string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return networkName(statfsSync(folder).type);
  } catch {
    return undefined;
  }
}
