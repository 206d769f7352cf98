import { vi } from 'vitest'

// Handlers get their dependencies from the runtime: in tests, those that `testDeps` made last.
vi.mock('@/lib/runtime', () => ({
  getDeps: async () => (await import('./deps')).currentDeps(),
}))
