import { describe, onTestFinished } from "vitest";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { describeOnEngines } from "../harness/db/store.ts";
import { openServerWithPeople } from "../harness/http/team-server.ts";
import { openTickets } from "../harness/rooms/tickets/tickets.ts";
import { Laptop } from "./laptop.ts";
import { describeTickets } from "./tickets-suite.ts";

describe("one suite for tickets wherever they are", () => {
  describeOnEngines("in the project's own store", (engine) => {
    describeTickets(async () => {
      const place = await engine.fresh();
      return { tickets: openTickets(place).tickets, others: openTickets(place).tickets, name: "ada" };
    });
  });

  describeOnEngines("on a team's server", (engine) => {
    describeTickets(async () => {
      const { app, ada, end } = await openServerWithPeople(await engine.fresh());
      const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
      onTestFinished(async () => {
        end();
        await listening.close();
      });
      const api = `${listening.url}/api`;
      const [first, second] = [new Laptop(), new Laptop()];
      const { accessToken, refreshToken, user, team } = ada.pair;
      const login = { accessToken, refreshToken, userId: user.id, teamId: team.id, user };
      for (const laptop of [first, second]) await laptop.signIn(api, login);
      return {
        tickets: first.tickets(first.server(api)),
        others: second.tickets(second.server(api)),
        name: user.displayName,
      };
    });
  });
});
