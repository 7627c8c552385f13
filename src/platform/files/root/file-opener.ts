import { readlinkSync } from "node:fs";
import { comparingOpener } from "./comparing-opener.ts";
import { descriptorOpener } from "./descriptor-opener.ts";

/** Something that is open, and where it really is. */
export type OpenedEntry = { descriptor: number; realPath: string; kind: EntryKind; stats: EntryStats };

export type EntryKind = "file" | "folder" | "link" | "other";

/** Exact even where numbers of files are larger than a double can hold. */
export type EntryStats = {
  dev: bigint;
  ino: bigint;
  size: bigint;
  mode: bigint;
  uid: bigint;
  gid: bigint;
  nlink: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
};

/** How a system lets us open first and verify after; checking a path and then opening it would be a race. */
export type FileOpener = {
  /** Opens what is at a path, through links, without reading it. */
  look(path: string): OpenedEntry;
  /** A descriptor to read a regular file from that `look` has opened. */
  readable(opened: OpenedEntry): number;
  /** Opens a folder to work in. */
  folder(path: string): OpenedEntry;
  /** The same as `look` for an entry of an open folder, but a link is opened itself and not followed. */
  lookAt(folder: OpenedEntry, name: string): OpenedEntry;
  /** A path to an entry of an open folder, or to the folder itself, that leads there even if the folder was moved. */
  pathIn(folder: OpenedEntry, name?: string): string;
  /** After a file was created in a folder: makes sure that it is there. */
  confirm(folder: OpenedEntry, name: string, descriptor: number): void;
};

export const systemOpener: FileOpener = hasDescriptorPaths() ? descriptorOpener : comparingOpener;

function hasDescriptorPaths(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /^\d+$/.test(readlinkSync("/proc/self"));
  } catch {
    return false;
  }
}
