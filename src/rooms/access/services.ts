import type { LoginSession } from "./remote/login-session.ts";

/** What the commands of this room run on: the user's sign-in on this machine. */
export type AccessServices = { login: LoginSession };
