import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import { lifeline } from "./namespace.ts";

type Streams = readonly (Readable | Writable | null | undefined)[];
type WithStreams = { stdio: Streams | undefined };

/** Read so that its end is noticed: then the process that held it in the namespace is dead, and all others with it. */
export function watchLifeline(child: WithStreams): void {
  const stream = streamsOf(child)[lifeline];
  stream?.on("error", () => undefined);
  if (stream instanceof Readable) stream.resume();
}

/** Whatever the types say, a child that could not be started for lack of descriptors has none. */
export function streamsOf({ stdio }: WithStreams): Streams {
  return stdio ?? [];
}

export async function waitUntilClosed(stream: Readable | Writable | null | undefined): Promise<void> {
  if (stream && !stream.closed) await once(stream, "close");
}

export function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const finish = () => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(finish, finish);
  });
}
