import { linkSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { explainErrors } from "../files/file-error.ts";
import { wrongKind } from "../files/root/expectations.ts";
import type { OpenedEntry } from "../files/root/file-opener.ts";
import { copyDurably } from "../files/root/place-file.ts";
import { readAll, sha256Of } from "../files/root/read-all.ts";
import { Tree } from "../files/root/tree.ts";
import { type Place, writeDurably } from "../files/write/durable-write.ts";
import { syncFolder } from "../files/write/sync.ts";
import { errorCode } from "../host/error-code.ts";
import { makeStateFolder } from "../state/state-folder.ts";
import {
  assertBlobId,
  type Blobs,
  blobNotFound,
  damagedBlob,
  gather,
  maxBlobBytes,
  type PutOptions,
  type StoredBlob,
} from "./blobs.ts";

const asideFolder = "damaged";

/** Content in files: `blobs/ab/cdef…` in the project's state folder, for nobody but the owner. */
export class DiskBlobs implements Blobs {
  readonly #stateDir: string;
  readonly #tree: Tree;

  /** The folder above the state folder must exist. */
  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#tree = Tree.at(dirname(stateDir)).within([basename(stateDir), "blobs"]);
  }

  async put(content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob> {
    const { sha256, size, bytes } = await gather(content, options);
    await explainErrors(showId(sha256), async () => {
      makeStateFolder(this.#stateDir);
      const folder = await this.#tree.folder([sha256.slice(0, 2)], { mode: 0o700 });
      try {
        const place = this.#place(folder, sha256);
        const found = await this.#read(place, sha256);
        // Another process may have placed it and not yet made sure of the folder.
        if (found instanceof Buffer) return await syncFolder(folder.descriptor);
        if (found) await this.#setAside(place, sha256);
        await writeDurably(place, bytes, { mode: 0o600 });
      } finally {
        this.#tree.close(folder);
      }
    });
    return { sha256, size };
  }

  async get(sha256: string): Promise<Uint8Array> {
    const found = await this.#find(sha256);
    if (!found) throw blobNotFound(sha256);
    if (found instanceof ForgeError) throw found;
    return found;
  }

  async has(sha256: string): Promise<boolean> {
    return (await this.#find(sha256)) instanceof Buffer;
  }

  async remove(sha256: string): Promise<boolean> {
    assertBlobId(sha256);
    return await explainErrors(showId(sha256), () =>
      this.#inFolder(sha256, async (place) => {
        unlinkSync(place.opening.pathIn(place.folder, place.name));
        await syncFolder(place.folder.descriptor);
        return true;
      }),
    ).then((removed) => removed === true);
  }

  async #find(sha256: string): Promise<Buffer | ForgeError | undefined> {
    assertBlobId(sha256);
    return await explainErrors(showId(sha256), () => this.#inFolder(sha256, (place) => this.#read(place, sha256)));
  }

  /** Undefined where the folder or what the work looks for is not there. */
  async #inFolder<T>(sha256: string, work: (place: Place) => Promise<T>): Promise<T | undefined> {
    let folder: OpenedEntry | undefined;
    try {
      folder = await this.#tree.folder([sha256.slice(0, 2)]);
      return await work(this.#place(folder, sha256));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    } finally {
      if (folder) this.#tree.close(folder);
    }
  }

  /** The bytes where they are what the name says, an error to throw where they are not, undefined where there are none. */
  async #read({ opening, folder, name }: Place, sha256: string): Promise<Buffer | ForgeError | undefined> {
    let found: OpenedEntry;
    try {
      found = opening.lookAt(folder, name);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
    try {
      if (found.kind !== "file") throw wrongKind(showId(sha256), "file", found.kind);
      const { size } = found.stats;
      if (size > maxBlobBytes) return damagedBlob(sha256);
      const limit = { bytes: maxBlobBytes, path: showId(sha256) };
      const bytes = await this.#tree.withOpenFile(found, (descriptor) => readAll(descriptor, size, limit));
      return sha256Of(bytes) === sha256 ? bytes : damagedBlob(sha256);
    } finally {
      this.#tree.close(found);
    }
  }

  /** A second name, so that the first is never without content; a copy where the file system has no second names. */
  async #setAside({ opening, folder, name }: Place, sha256: string): Promise<void> {
    const aside = await this.#tree.folder([asideFolder], { mode: 0o700 });
    try {
      const from = opening.pathIn(folder, name);
      const to = opening.pathIn(aside, `${sha256}-${Date.now()}-${Math.random().toString(36).slice(2)}`);
      try {
        linkSync(from, to);
      } catch {
        await copyDurably(from, to);
      }
      await syncFolder(aside.descriptor);
    } finally {
      this.#tree.close(aside);
    }
  }

  #place(folder: OpenedEntry, sha256: string): Place {
    return { opening: this.#tree.opening, folder, name: sha256.slice(2) };
  }
}

function showId(sha256: string): string {
  return `blobs/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
}
