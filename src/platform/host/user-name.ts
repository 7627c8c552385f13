import { userInfo } from "node:os";

let known: string | undefined;

/** The system may know no name for us, as in a container that runs under a bare number. Asked once: it is slow, and every call needs it. */
export function userName(): string {
  known ??= readUserName();
  return known;
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
