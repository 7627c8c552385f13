import type { Manifest, Surroundings } from "../manifest.ts";

const mostLines = 5_000;
const longestLine = 500;
const configuration = /^(api|implementation|compileOnly|runtimeOnly|kapt|ksp|annotationProcessor|compile)\b/;
const testConfiguration =
  /^(testImplementation|testRuntimeOnly|testCompileOnly|testCompile|androidTestImplementation)\b/;

/** A build file is a program. Only lines of the usual form are understood: `implementation("group:name:1.0")`. */
export function readBuildGradle(text: string, { hasAbove }: Surroundings): Manifest {
  const lines = linesOf(text);
  const plugins = lines.flatMap((line) => /^(?:id|apply plugin:)[ (]*["']([\w.-]{1,200})["']/.exec(line)?.[1] ?? []);
  const gradle = hasAbove("gradlew") ? "./gradlew" : "gradle";
  return {
    ecosystem: "java",
    dependencies: lines.filter((line) => configuration.test(line)).flatMap(artifact),
    devDependencies: lines.filter((line) => testConfiguration.test(line)).flatMap(artifact),
    marks: plugins,
    test: "gradle test",
    build: `${gradle} build`,
    kind: plugins.includes("application") ? "program" : plugins.includes("java-library") ? "library" : undefined,
  };
}

export function readSettingsGradle(text: string): Manifest {
  const lines = linesOf(text);
  const name = lines.flatMap((line) => /^rootProject\.name[ =]*["']([^"']{1,200})["']/.exec(line)?.[1] ?? [])[0];
  const included = lines.filter((line) => /^include\b/.test(line)).flatMap(quoted);
  return {
    ecosystem: "java",
    name,
    dependencies: [],
    devDependencies: [],
    members: included.map((path) =>
      path
        .split(":")
        .filter((part) => part !== "")
        .join("/"),
    ),
  };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").slice(0, mostLines);
  return lines.map((line) => line.trim().slice(0, longestLine)).filter((line) => !line.startsWith("//"));
}

function artifact(line: string): string[] {
  const [, name] = (quoted(line)[0] ?? "").split(":");
  return name === undefined || name === "" ? [] : [name];
}

function quoted(line: string): string[] {
  return [...line.matchAll(/["']([^"']{1,200})["']/g)].map(([, text = ""]) => text);
}
