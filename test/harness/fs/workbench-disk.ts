import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A sparse file of this size. */
export function makeSparseFile(root: string, name: string, size: number): void {
  writeFileSync(join(root, name), "");
  truncateSync(join(root, name), size);
}

export function makeFifo(root: string, name: string): void {
  execFileSync("mkfifo", [join(root, name)]);
}

export function writeBytes(root: string, name: string, bytes: readonly number[]): void {
  writeFileSync(join(root, name), Buffer.from(bytes));
}

export function readBytes(root: string, name: string): Buffer {
  return readFileSync(join(root, name));
}

export function setMode(root: string, name: string, mode: number): void {
  chmodSync(join(root, name), mode);
}

export function makeLink(root: string, name: string, target: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  symlinkSync(target, join(root, name));
}

export function replaceByLink(root: string, name: string, target: string): void {
  rmSync(join(root, name), { recursive: true });
  symlinkSync(target, join(root, name));
}

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
}
