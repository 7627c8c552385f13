/**
 * Laid over the project's own build for one run. Gradle would leave out what it holds for up to date, and with it the results
 * of whole modules; would call a module without any of the chosen tests a failure; and would name only those that fail. Where
 * results go is the build's own choice: each task that runs tests adds a line to `places` that says it,
 * and which class path the tests have.
 */
export const createGradleScript = (modules: number, places: string) => `
allprojects {
  def tests = tasks.withType(Test)
  // Since 4.9 there is a way that does not make tasks which nobody asked for.
  def each = tests.respondsTo("configureEach") ? "configureEach" : "all"
  tests."$each" { task ->
    task.outputs.upToDateWhen { false }
    task.filter.failOnNoMatchingTests = ${modules < 2}
    task.testLogging.events("passed", "skipped", "failed")
    def module = task.project.projectDir.path
    task.doFirst { running ->
      def xml = running.reports.junitXml
      // Since 6.1 under a name of its own; the old one is gone in later versions.
      def place = xml.hasProperty("outputLocation") ? xml.outputLocation.get().asFile : xml.destination
      def classPath = running.classpath.files.collect { it.path }
      def line = groovy.json.JsonOutput.toJson([module: module, results: place.path, classPath: classPath])
      new File(${quoteGroovy(places)}).append(line + "\\n", "UTF-8")
    }
  }
  // After the build's own word: without a report nothing is known of the tests.
  afterEvaluate {
    tests."$each" { task ->
      def xml = task.reports.junitXml
      if (xml.hasProperty("required")) xml.required.set(true) else xml.enabled = true
    }
  }
}
`;

/** In single quotes, where "$" means itself. */
function quoteGroovy(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
