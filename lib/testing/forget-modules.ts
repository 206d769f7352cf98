type Module = { exports: unknown; promise: unknown; evaluated: boolean; importers: Set<string> }
type Worker = { evaluatedModules: { idToModuleMap: Map<string, Module> } }

const SHARED_BY_TESTS = /\/testing\//
/** What holds nothing of a test: the set-up itself, and the schemas of responses, which take long to compile. */
const KEPT = /\/lib\/testing\/(setup|check-response)\.ts$/

/**
 * Before each test file: what tests share in folders `testing` is evaluated again, so that each
 * file has its own database, hooks and fakes. The product's own modules, whose evaluation takes
 * longer than most tests, stay those of the files before it, as in a process that serves requests.
 * Vitest resets all modules or none; this is how it does it, for some.
 */
export function forgetSharedByTests(): void {
  const { __vitest_worker__: worker } = globalThis as unknown as { __vitest_worker__: Worker }
  for (const [path, module] of worker.evaluatedModules.idToModuleMap) {
    if (!SHARED_BY_TESTS.test(path) || KEPT.test(path)) continue
    module.promise = undefined
    module.exports = undefined
    module.evaluated = false
    module.importers.clear()
  }
}
