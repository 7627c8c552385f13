import type { App } from "../../../commons/cli/app.ts";
import type { Command } from "../../../kernel/definitions/command.ts";
import { invite } from "./invite.ts";
import { link, unlink } from "./link.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { resetPassword } from "./reset-password.ts";
import { team, teamCreate, teamList } from "./team.ts";
import { teamAudit, teamLedger } from "./team-records.ts";
import { token, tokenCreate, tokenList, tokenRevoke } from "./token.ts";
import { whoami } from "./whoami.ts";

export const commands: Command<App>[] = [
  login,
  link,
  unlink,
  logout,
  whoami,
  invite,
  resetPassword,
  team,
  teamList,
  teamCreate,
  teamLedger,
  teamAudit,
  token,
  tokenCreate,
  tokenList,
  tokenRevoke,
];
