import type { Deps } from '@/lib/deps'
import 'server-only'
import { type Actor, can } from '@/lib/auth/rights'
import { currentBudget, withBudget } from '@/lib/db/budget'
import { AppError } from '@/lib/errors'
import { withSlot } from '@/lib/load/gates'
import type { SearchTarget } from '@/lib/registry/target'
import { explainMatches } from './count-matches'
import { howToNarrow } from './narrowing'
import type { ResolvedSearch } from './resolved'
import { realCost, weighConditions } from './search-cost'

export type Costed = Pick<ResolvedSearch, 'where'> & Partial<ResolvedSearch>

/** Conditions below this weight are not checked with the planner: the time limit is enough. */
const LIGHT_WEIGHT = 600
/** From this cost on, about a second, only a few searches run at the same time. */
const COSTLY = 100_000

/** On the embedded database, all other requests wait for its one connection in the meantime. */
const YIELDS_AFTER_MS = 1_000

type SearchRun = {
  target: SearchTarget
  search: Costed
  actor: Actor | null
  /** Whether what it finds is changed or deleted. */
  changes?: boolean
}

/**
 * Runs the statements of a search within its slots and time limit. Throws `unavailable` that says
 * what to narrow, and `invalid_input` for conditions that would cost more than `MAX_SEARCH_COST`,
 * unless `actor` has the right `system:read`.
 */
export async function runSearch<T>(
  deps: Deps,
  { target, search, actor, changes = false }: SearchRun,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, exceeded } = currentBudget()
  const slow = () => tooSlow(exceeded(), search, changes)
  // A change is not given up for others: repeated, it would never come to its end.
  const limits = changes ? {} : { yieldsAfterMs: YIELDS_AFTER_MS }
  return withBudget({ exceeded: slow, ...limits }, async () => {
    const kind = await kindOf(deps, target, search, actor)
    return withSlot(deps, kind, { actor, signal }, work)
  })
}

/** Throws as `runSearch` does for conditions that cost too much. */
export async function kindOf(
  deps: Pick<Deps, 'db' | 'settings'>,
  target: SearchTarget,
  search: Costed,
  actor: Actor | null,
): Promise<'search' | 'costly search'> {
  const { where, joins, count, group } = search
  const weight = weighConditions(where)
  if (weight.weight < LIGHT_WEIGHT) return 'search'
  const planned = await explainMatches(deps.db, target, where, joins)
  const scans = count === 'exact' && !group ? 2 : 1
  const cost = scans * realCost(planned.cost, weight)
  const limit = deps.settings.MAX_SEARCH_COST
  if (cost > limit && !(actor && can(actor, 'system:read'))) throw tooCostly(cost / limit, search)
  return cost > COSTLY ? 'costly search' : 'search'
}

const tooCostly = (times: number, search: Costed) =>
  new AppError(
    'invalid_input',
    `The conditions would cost ${times < 10 ? times.toFixed(1) : Math.round(times)} times what a search may cost. ${howToNarrow(search)}`,
  )

/** The same refusal, with advice on what to narrow. */
function tooSlow({ code, options }: AppError, search: Costed, changes: boolean): AppError {
  const what = changes
    ? 'The change took too long and was stopped; nothing was changed.'
    : 'The search took too long and was stopped.'
  return new AppError(code, `${what} ${howToNarrow(search)}`, options)
}
