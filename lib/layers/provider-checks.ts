import { setTimeout as delay } from 'node:timers/promises'
import type { Layer, Points } from '@/lib/around'
import { withOwnBudget } from '@/lib/db/budget'
import { type ProviderSessionState, readProviderSession } from '@/lib/users/provider-sessions'

/** How long a request waits for a provider that has to confirm its session. */
const WAIT_MS = 5_000
/** How long it waits for another instance that asks. */
const OTHERS_MS = 3_000
const POLL_MS = 100
/** Of a whole check, for which the provider is asked several times. */
const CHECK_MS = 60_000

/**
 * A session that began by a provider is refused unless the provider has confirmed it within `OIDC_RECHECK`. One in use is confirmed in the
 * background, when half of that time is over; one that was not used for longer waits for it.
 */
export const providerChecks: Layer = {
  name: 'provider-checks',
  around: {
    async loadSession(deps, claims, next) {
      const { OIDC, OIDC_RECHECK } = deps.settings
      const loaded = await next(deps)
      if (loaded === null || OIDC.length === 0 || OIDC_RECHECK === null) return loaded
      const state = await readProviderSession(deps.db, claims.sid)
      if (state === null) return loaded
      if (!state.isOver) {
        if (state.isDue) void check(deps, claims.sid)
        return within(loaded, state)
      }
      const current = await confirmed(deps, claims.sid)
      if (current === null || current.isOver) return null
      const again = await next(deps)
      return again && within(again, current)
    },
  },
}

const within = <T extends { expiresInMs: number | null }>(
  loaded: T,
  { endsInMs }: ProviderSessionState,
): T => ({ ...loaded, expiresInMs: Math.min(loaded.expiresInMs ?? Infinity, endsInMs) })

type SessionDeps = Points['loadSession']['deps']

/** Whether it was asked by this. Never throws. Loaded by the first: most servers need no provider. */
const check = (deps: SessionDeps, sid: string): Promise<boolean> =>
  withOwnBudget({ ms: CHECK_MS }, async () => {
    const { checkSession } = await import('@/lib/oidc/check-session')
    return checkSession(deps, sid)
  })

async function confirmed(deps: SessionDeps, sid: string): Promise<ProviderSessionState | null> {
  const wasAsked = await Promise.race([check(deps, sid), delay(WAIT_MS, true, { ref: false })])
  const until = performance.now() + (wasAsked ? 0 : OTHERS_MS)
  for (;;) {
    const state = await readProviderSession(deps.db, sid)
    if (!state?.isOver || performance.now() >= until) return state
    await delay(POLL_MS)
  }
}
