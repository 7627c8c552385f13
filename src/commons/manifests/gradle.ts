import type { Manifest, ManifestFolder } from "./manifest.ts";

const maxLines = 5_000;
const maxLineLength = 500;
const configuration = /^(api|implementation|compileOnly|runtimeOnly|kapt|ksp|annotationProcessor|compile)\b/;
const testConfiguration =
  /^(testImplementation|testRuntimeOnly|testCompileOnly|testCompile|androidTestImplementation)\b/;

/** A build file is a program. Only lines of the usual form are understood: `implementation("group:name:1.0")`. */
export function readBuildGradle(text: string, { hasAbove }: ManifestFolder): Manifest {
  const lines = splitLines(text);
  const plugins = lines.flatMap((line) => /^(?:id|apply plugin:)[ (]*["']([\w.-]{1,200})["']/.exec(line)?.[1] ?? []);
  const gradle = hasAbove("gradlew") ? "./gradlew" : "gradle";
  return {
    ecosystem: "java",
    dependencies: lines.filter((line) => configuration.test(line)).flatMap(findArtifact),
    devDependencies: lines.filter((line) => testConfiguration.test(line)).flatMap(findArtifact),
    marks: plugins,
    test: "gradle test",
    testCommand: `${gradle} test`,
    build: `${gradle} build`,
    kind: plugins.includes("application") ? "program" : plugins.includes("java-library") ? "library" : undefined,
  };
}

export function readSettingsGradle(text: string): Manifest {
  const lines = splitLines(text);
  const name = lines.flatMap((line) => /^rootProject\.name[ =]*["']([^"']{1,200})["']/.exec(line)?.[1] ?? [])[0];
  const included = lines.filter((line) => /^include\b/.test(line)).flatMap(findQuoted);
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

function splitLines(text: string): string[] {
  const lines = text.split("\n").slice(0, maxLines);
  return lines.map((line) => line.trim().slice(0, maxLineLength)).filter((line) => !line.startsWith("//"));
}

function findArtifact(line: string): string[] {
  const [, name] = (findQuoted(line)[0] ?? "").split(":");
  return name === undefined || name === "" ? [] : [name];
}

function findQuoted(line: string): string[] {
  return [...line.matchAll(/["']([^"']{1,200})["']/g)].map(([, text = ""]) => text);
}
