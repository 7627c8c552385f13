/**
 * One stream of events for all tabs of the board: a browser opens six connections to a server, and a seventh tab with a stream
 * of its own could not even load the page.
 */
const maxKept = 1_000;

const ports = new Set<MessagePort>();
/** The latest messages, for tabs that come later. */
const kept: { kind: string; data: string; seq: number }[] = [];
let source: EventSource | undefined;
let address = "";
let last = 0;
let retryMs = 500;

function tell(message: unknown): void {
  for (const port of ports) port.postMessage(message);
}

function open(): void {
  source?.close();
  source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}after=${last}`);
  source.onopen = () => {
    retryMs = 500;
    tell({ kind: "open" });
  };
  const pass = (kind: string) => (event: MessageEvent<string>) => {
    last = Number(event.lastEventId) || last;
    const message = { kind, data: event.data, seq: last };
    kept.push(message);
    if (kept.length > maxKept) kept.shift();
    tell(message);
  };
  source.addEventListener("activity", pass("activity"));
  source.addEventListener("reset", pass("reset"));
  source.onerror = () => {
    tell({ kind: "closed" });
    source?.close();
    setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * 2, 10_000);
  };
}

type TabMessage = { address?: string; after?: number; leave?: true };

/** A tab that comes later gets what came between its own start and now. */
function join(port: MessagePort, after: number): void {
  port.postMessage({ kind: source?.readyState === EventSource.OPEN ? "open" : "closed" });
  const isMissing = kept.length >= maxKept && (kept[0]?.seq ?? 0) > after;
  if (isMissing) port.postMessage({ kind: "reset", data: "{}", seq: last });
  else for (const message of kept) if (message.seq > after) port.postMessage(message);
}

function take(port: MessagePort, { address: asked, after = 0, leave }: TabMessage): void {
  if (leave) ports.delete(port);
  if (asked === undefined) return;
  if (source && address === asked) {
    join(port, after);
    return;
  }
  address = asked;
  last = after;
  kept.length = 0;
  open();
}

Object.assign(globalThis, {
  onconnect(event: MessageEvent) {
    const [port] = event.ports;
    if (!port) return;
    ports.add(port);
    port.onmessage = ({ data }: MessageEvent<TabMessage>) => take(port, data);
  },
});
