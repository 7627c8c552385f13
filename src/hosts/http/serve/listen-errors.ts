import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../../platform/host/error-code.ts";
import type { Address } from "./listen.ts";

type Trouble = (address: Address) => [message: string, next: string];

const notAName: Trouble = ({ host }) => [
  `The address "${shortHost(host)}" was not found.`,
  "Use one of this machine's addresses, or 0.0.0.0 for all of them.",
];

const notOurs: Trouble = ({ host }) => [
  `"${shortHost(host)}" is not an address of this machine.`,
  "Use one of this machine's addresses, or 0.0.0.0 for all of them; --public-url is for the name that people use.",
];

const troubles = new Map<string | undefined, Trouble>([
  [
    "EADDRINUSE",
    ({ host, port }) => [
      `Port ${port} on ${shortHost(host)} is already in use.`,
      "Choose another port, or 0 for any free one.",
    ],
  ],
  [
    "EACCES",
    ({ host, port }) => [
      `This user is not allowed to listen on port ${port} of ${shortHost(host)}.`,
      "Choose a port above 1023, and use a proxy if you need a lower one.",
    ],
  ],
  ["EADDRNOTAVAIL", notOurs],
  ["EAFNOSUPPORT", notOurs],
  [
    "EINVAL",
    ({ host }) => [
      `Forge cannot listen on "${shortHost(host)}".`,
      "Use an address of this machine; a link-local one needs its interface: fe80::1%eth0.",
    ],
  ],
  ["ENOTFOUND", notAName],
  ["EAI_AGAIN", notAName],
]);

/** An error with advice, if the system says why listening failed; anything else is returned as it is. */
export function listenError(error: unknown, address: Address): unknown {
  const trouble = troubles.get(errorCode(error));
  if (!trouble) return error;
  const [message, next] = trouble(address);
  return new ForgeError("CONFIG_ERROR", message, { next: [next], cause: error });
}

function shortHost(host: string): string {
  return host.slice(0, 200);
}
