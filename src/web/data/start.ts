import { computed, signal } from "@preact/signals";
import { signInPath } from "./sign-in-path.ts";
import type { StartFacts, TeamFacts } from "./types.ts";

/** What the server told the page first. */
export const facts = signal<StartFacts | undefined>(undefined);

const teamKey = "forge.team";
const chosenTeam = signal(localStorage.getItem(teamKey) ?? undefined);

/** The team whose tickets are shown, on a team's server. */
export const team = computed<TeamFacts | undefined>(() => {
  const teams = facts.value?.teams ?? [];
  return teams.find(({ id }) => id === chosenTeam.value) ?? teams[0];
});

export const canWrite = computed(() => team.value?.canWrite ?? facts.value?.canWrite ?? false);

export function chooseTeam(id: string): void {
  localStorage.setItem(teamKey, id);
  location.reload();
}

export async function loadStart(): Promise<void> {
  const response = await fetch("/api/board");
  if (response.status === 401) return location.assign(signInPath());
  facts.value = (await response.json()) as StartFacts;
}
