import { userInfo } from "node:os";

/** The system may know no name for us, as in a container that runs under a bare number. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
