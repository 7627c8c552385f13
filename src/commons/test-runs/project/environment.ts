import { childEnvironment, environment } from "../../../platform/host/environment.ts";

/** Where toolchains are and keep their files. None of them makes a program load or run something. */
const toolchains = [
  "CARGO_HOME",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "GOPATH",
  "GOROOT",
  "GOCACHE",
  "GOMODCACHE",
  "GOPROXY",
  "JAVA_HOME",
  "MAVEN_HOME",
  "M2_HOME",
  "GRADLE_HOME",
  "GRADLE_USER_HOME",
  "VIRTUAL_ENV",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "CONDA_PREFIX",
  "XDG_CACHE_HOME",
];

/** What a run of tests knows of ours: the allow-list, the toolchains', and that nobody is watching. */
export function createTestEnvironment(
  from: Readonly<Record<string, string | undefined>> = environment,
): Record<string, string> {
  const given: Record<string, string> = childEnvironment(from);
  for (const name of toolchains) {
    const value = from[name];
    if (value !== undefined) given[name] = value;
  }
  return { ...given, CI: "1", NO_COLOR: "1", FORCE_COLOR: "0" };
}
