import { render } from "preact";
import { App } from "./app.tsx";
import { followEvents } from "./data/events.ts";
import { facts, loadStart } from "./data/start.ts";
import { followTickets, loadTickets } from "./data/tickets.ts";
import { showProblem } from "./parts/toast.tsx";
import { followLinks } from "./router.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
followLinks();

const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  await loadStart();
  render(<App />, root);
  followEvents();
  if (facts.value && facts.value.ticketsAt === undefined) {
    followTickets();
    await loadTickets().catch(showProblem);
  }
}
