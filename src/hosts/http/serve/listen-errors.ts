import { ForgeError } from "../../../kernel/errors.ts";
import { errorCode } from "../../../platform/host/error-code.ts";
import type { Address } from "./listen.ts";

type Trouble = (address: Address) => [message: string, next: string];

const notAName: Trouble = ({ host }) => [
  `There is no address by the name "${shown(host)}".`,
  "Give one of this machine's addresses, or 0.0.0.0 for all of them.",
];

const notOurs: Trouble = ({ host }) => [
  `"${shown(host)}" is not an address of this machine.`,
  "Give one of this machine's addresses, or 0.0.0.0 for all of them; --public-url is for the name that people use.",
];

const troubles = new Map<string | undefined, Trouble>([
  [
    "EADDRINUSE",
    ({ host, port }) => [
      `The port ${port} on ${shown(host)} is in use by another program.`,
      "Choose another port, or 0 for any free one.",
    ],
  ],
  [
    "EACCES",
    ({ host, port }) => [
      `This account may not listen on port ${port} of ${shown(host)}.`,
      "Choose a port above 1023, and put a proxy in front where people need a lower one.",
    ],
  ],
  ["EADDRNOTAVAIL", notOurs],
  ["EAFNOSUPPORT", notOurs],
  [
    "EINVAL",
    ({ host }) => [
      `"${shown(host)}" cannot be listened on as it is.`,
      "Give an address of this machine; a link-local one with its interface, as fe80::1%eth0.",
    ],
  ],
  ["ENOTFOUND", notAName],
  ["EAI_AGAIN", notAName],
]);

/** What a person can do about it, where the system says why it cannot be listened on; anything else as it came. */
export function cannotListen(error: unknown, address: Address): unknown {
  const trouble = troubles.get(errorCode(error));
  if (!trouble) return error;
  const [message, next] = trouble(address);
  return new ForgeError("CONFIG_ERROR", message, { next: [next], cause: error });
}

function shown(host: string): string {
  return host.slice(0, 200);
}
