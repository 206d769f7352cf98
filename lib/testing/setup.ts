import { readFileSync } from 'node:fs'
import { afterAll, expect, vi } from 'vitest'

// The files of a worker share a process and a database, but neither modules nor what these keep on
// `globalThis`, except for what the open database has to do with.
const KEPT = ['__engineTestDatabase', '__engineBudget']
vi.resetModules()
for (const name of Object.keys(globalThis))
  if (name.startsWith('__engine') && !KEPT.includes(name)) Reflect.deleteProperty(globalThis, name)
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

// Handlers get their dependencies from the runtime: in tests, those that `testDeps` made last.
vi.mock('@/lib/runtime', () => ({
  getDeps: async () => (await import('./deps')).currentDeps(),
}))

// The database opens in its thread while the first test file is imported, which takes as long.
if (usesDatabase(expect.getState().testPath ?? '')) await import('./database')

/** Tests of handlers use it, and all that name `testDeps` or the like. */
function usesDatabase(file: string): boolean {
  return file.includes('/app/api/') || /testing\/deps'/.test(readFileSync(file, 'utf8'))
}
