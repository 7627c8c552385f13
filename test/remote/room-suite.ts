import { expect, it, vi } from "vitest";
import { Room } from "./room.ts";
import type { serveOneTeamServer } from "./room-team.ts";
import { differencesBetween } from "./room-transcript.ts";

type TeamServer = ReturnType<typeof serveOneTeamServer>;

/**
 * Plays the same on tickets in the project's own store and on those of a team's server, and holds every answer of the one
 * against that of the other.
 */
export function onBoth(server: TeamServer, name: string, play: (room: Room) => Promise<void>): void {
  it(name, async () => {
    const own = await played(new Room(false), async () => undefined, play);
    const teams = await played(new Room(true), (room) => server.signIn(room.home, room.cwd), play);
    expect(own.length, "answers to compare").toBeGreaterThan(0);
    const parted = own.flatMap(([what, answer], index) =>
      differencesBetween(answer, teams[index]?.[1], JSON.stringify(what).slice(0, 200)),
    );
    expect(parted).toEqual([]);
    expect(teams).toHaveLength(own.length);
  });
}

async function played(room: Room, prepare: (room: Room) => Promise<void>, play: (room: Room) => Promise<void>) {
  vi.stubEnv("HOME", room.home);
  try {
    await prepare(room);
    await play(room);
    return room.transcript;
  } finally {
    await room.close();
    vi.unstubAllEnvs();
  }
}
