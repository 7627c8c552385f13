import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ForgeError, wireErrorWithActions } from "../../../kernel/errors.ts";
import { errorCode } from "../../../platform/host/error-code.ts";
import { wordForHttp } from "../reply/wording.ts";

type Answer = { status: string; message: string; next: string };

const unreadable: Answer = {
  status: "400 Bad Request",
  message: "The request cannot be read as HTTP.",
  next: "Send a well-formed HTTP/1.1 request.",
};

const answers = new Map<string | undefined, Answer>([
  [
    "HPE_HEADER_OVERFLOW",
    {
      status: "431 Request Header Fields Too Large",
      message: "The request's headers are too large: the limit is 16 KiB.",
      next: "Send fewer or shorter headers, and long values in the body.",
    },
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    {
      status: "413 Payload Too Large",
      message: "The chunk extensions are too large.",
      next: "Send chunks without extensions.",
    },
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    {
      status: "408 Request Timeout",
      message: "The request did not arrive in time.",
      next: "Send the request in one go.",
    },
  ],
]);

/** Answers what never becomes a request as everything else is answered: with a status and a reason. */
export function answerUnreadRequests(server: Server): void {
  server.on("clientError", (error, duplex) => {
    const socket = duplex as Socket & { _httpMessage?: ServerResponse | null };
    // Node keeps the answer under way on the socket: into one that has begun nothing else can be written.
    const hasBegun = socket._httpMessage?.headersSent === true;
    if (!socket.writable || hasBegun || errorCode(error) === "ECONNRESET") return void socket.destroy();
    socket.end(textOf(answers.get(errorCode(error)) ?? unreadable), () => socket.destroy());
  });
}

function textOf({ status, message, next }: Answer): string {
  const error = new ForgeError("VALIDATION_ERROR", message, { next: [next] });
  const body = JSON.stringify(wireErrorWithActions(error.toBody(), wordForHttp([])));
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
