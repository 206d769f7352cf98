import { vi } from 'vitest'

// Handlers ask the runtime for what they run on: in tests, what `testDeps` made last.
vi.mock('@/lib/runtime', () => ({
  getDeps: async () => (await import('./deps')).currentDeps(),
}))
