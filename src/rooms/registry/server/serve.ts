import type { ServerHouse, Visit } from "../../../commons/house.ts";
import type { ServedRoom } from "../../../kernel/definitions/room.ts";
import { environment } from "../../../platform/host/environment.ts";
import { RegistryServer } from "./registry-server.ts";
import type { RegistryRouteServices } from "./routes.ts";

/** The registry of a server: one for all its teams. */
export function serveRegistry({ database, log }: ServerHouse): ServedRoom<Visit, RegistryRouteServices> {
  const registry = new RegistryServer(database);
  const folder = environment["FORGE_REGISTRY_SEED"];
  const seeding = folder
    ? import("./seed.ts")
        .then(({ seedFrom }) => seedFrom(folder, registry, log))
        .catch((error: unknown) => log("error", "the seed folder could not be read", { error: String(error) }))
    : undefined;
  return {
    services({ signedIn, confirm }) {
      if (!signedIn) throw new Error("a public route asked for the registry");
      const { user, team } = signedIn;
      const shown = { id: user.id, name: user.displayName, email: user.email };
      return { registry, by: { team: team.id, name: user.displayName, user: shown, confirm } };
    },
    stop: async () => seeding,
  };
}
