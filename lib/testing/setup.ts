import { readFileSync } from 'node:fs'
import { afterAll, expect, vi } from 'vitest'
import { forgetSharedByTests } from './forget-modules'

// Handlers get their dependencies from the runtime: in tests, those that `testDeps` made last.
vi.mock('@/lib/runtime', () => ({
  getDeps: async () => (await import('./deps')).currentDeps(),
}))

forgetSharedByTests()
// A file before may have stopped its server: nothing runs in a process that stops.
Reflect.deleteProperty(globalThis, '__engineStopping')
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

// The database opens in its thread while the test file is imported, which takes as long.
if (usesDatabase(expect.getState().testPath ?? '')) await import('./database')

/** Tests of handlers and of the command use it, and all that name `testDeps` or the like. */
function usesDatabase(file: string): boolean {
  return file.includes('/app/api/') || /testing\/(deps|engine)'/.test(readFileSync(file, 'utf8'))
}
