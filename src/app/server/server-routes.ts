import type { ForgeRoom, ServerHouse, Visit } from "../../commons/house.ts";
import type { ServedRoom } from "../../kernel/definitions/room.ts";
import type { Route } from "../../kernel/definitions/route.ts";
import { rooms as allRooms } from "../../rooms.ts";
import { openServerPort } from "./ports.ts";

/** A route with what its requests run on. */
type ServedRoute = { route: Route<unknown>; services(visit: Visit): unknown };

/** Every REST route of a team's server: what is served, described and checked comes from this one list. */
export async function loadRoutes(rooms = allRooms): Promise<{ room: ForgeRoom; route: Route<unknown> }[]> {
  const ofRooms = await Promise.all(
    rooms.map(async (room) => ((await room.routes?.()) ?? []).map((route) => ({ room, route }))),
  );
  return ofRooms.flat();
}

/** Opens the rooms of a team's server; `open` are those that the server itself runs on. */
export async function serveRooms(
  house: Omit<ServerHouse, "port">,
  open: Record<string, ServedRoom<Visit, unknown>>,
  rooms = allRooms,
): Promise<{ routes: ServedRoute[]; prepare(): Promise<void>; stop(): Promise<void> }> {
  const served = new Map(Object.entries(open));
  const port = <Port>(name: string, visit: Visit) => openServerPort(name, visit, served) as Port;
  for (const room of rooms) {
    const serve = await room.serve?.();
    if (serve) served.set(room.name, serve({ ...house, port }));
  }
  const routes = (await loadRoutes(rooms)).map(({ room, route }) => {
    const own = served.get(room.name);
    if (!own) throw new Error(`rooms/${room.name} has routes and does not serve them`);
    return { route, services: (visit: Visit) => own.services(visit) };
  });
  return {
    routes,
    async prepare() {
      for (const room of served.values()) await room.prepare?.();
    },
    async stop() {
      await Promise.all([...served.values()].map((room) => room.stop?.()));
    },
  };
}
