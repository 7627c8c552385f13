import type { Guard } from "../../commons/guard/index.ts";
import type { House, ServerHouse, Visit } from "../../commons/house.ts";
import type { Ledger } from "../../commons/ledger/index.ts";
import type { OpenRoom, ServedRoom } from "../../kernel/definitions/room.ts";
import type { ActivityRouteServices } from "./http/services.ts";

export type ActivityServices = { ledger: Ledger; guard: Pick<Guard, "hasForeignCalls"> };

export async function openActivity(house: House): Promise<OpenRoom<ActivityServices>> {
  const { ledger, guard } = await house.store();
  return { services: { ledger, guard } };
}

export function serveActivity({ ledgerOf }: ServerHouse): ServedRoom<Visit, ActivityRouteServices> {
  return {
    services({ signedIn, people }) {
      if (!signedIn) throw new Error("a public route asked for a team's ledger");
      return { ledger: ledgerOf(signedIn.team.id), people };
    },
  };
}
