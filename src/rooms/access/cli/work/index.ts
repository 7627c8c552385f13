/** One door, so that the build makes one file of it. */

export { runServe } from "../../../../app/commands/serve/run-serve.ts";
export { runPushLocal } from "../../../tickets/cli/work/push-local.ts";
export { runInvite } from "./invite.ts";
export { runLogin } from "./login.ts";
export { runLogout } from "./logout.ts";
export { runResetPassword } from "./reset-password.ts";
export { completeTeam, runTeam } from "./team.ts";
export { completeToken, runToken } from "./token.ts";
export { runWhoami } from "./whoami.ts";
