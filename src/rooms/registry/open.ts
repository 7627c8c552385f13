import { dirname } from "node:path";
import type { House } from "../../commons/house.ts";
import { type OpenRoom, once } from "../../kernel/definitions/room.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import { environment } from "../../platform/host/environment.ts";
import { userHome } from "../../platform/host/user-folder.ts";
import { Library } from "./client/library.ts";
import type { RegistryServices } from "./services.ts";

/** The registry of the project that Forge was started in. */
export function openRegistry(house: House): OpenRoom<RegistryServices> {
  const home = userHome();
  const library = new Library({
    projectRoot: projectFolder(house.cwd, house.project.root, home),
    home,
    env: environment,
    fetcher: once(async () => {
      const { Fetcher } = await import("../../platform/fetch/fetcher.ts");
      const fetcher = new Fetcher({ log: house.log });
      house.onEnd(() => fetcher.close());
      return fetcher;
    }),
    isTrusted: () => house.isTrusted(),
    onToken: (token) => house.redactor.learn(token),
  });
  for (const name of ["FRACTARY_REGISTRY_TOKEN", "FRACTARY_TOKEN", "STOCKYARD_TOKEN"])
    house.redactor.learn(environment[name]);
  return { services: { library } };
}

/** The nearest folder upwards with a `.fractary` of its own, no further than the project itself. */
function projectFolder(cwd: string, root: string, home: string): string {
  const top = realPlace(root);
  for (let folder = realPlace(cwd); folder.startsWith(top); folder = dirname(folder)) {
    if (folder !== realPlace(home) && entryAt(`${folder}/.fractary`)?.isDirectory()) return folder;
    if (folder === top || dirname(folder) === folder) break;
  }
  return root;
}
