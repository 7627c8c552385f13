/** The settings of every command that talks to a Forge server. */
export const serverSettings = ["apiUrl", "token"];
