/** What every command that talks to a Forge server heeds. */
export const serverSettings = ["apiUrl", "token"];
