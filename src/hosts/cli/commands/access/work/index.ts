/** One door, so that the build makes one file of it. */
export { runInvite } from "./invite.ts";
export { runLogin } from "./login.ts";
export { runLogout } from "./logout.ts";
export { runPushLocal } from "./push-local.ts";
export { runResetPassword } from "./reset-password.ts";
export { runServe } from "./serve.ts";
export { completeTeam, runTeam } from "./team.ts";
export { completeToken, runToken } from "./token.ts";
export { runWhoami } from "./whoami.ts";
