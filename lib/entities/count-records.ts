import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/runtime'
import { countMatches } from './count-matches'
import { findTarget } from './find-target'
import { runSearch } from './run-search'
import type { ConditionsInput } from './search/read-input'
import { resolveMatches } from './search/resolve-search'

/** The exact number of records that match; throws as `searchRecords` does. */
export async function countRecords(
  deps: Deps,
  entityName: string,
  input: ConditionsInput,
  reader: Actor | null = null,
): Promise<number> {
  const target = await findTarget(deps, entityName, reader)
  const { where, joins } = resolveMatches(target, input)
  const search = { where, joins }
  return runSearch(deps, { target, search, actor: reader }, () =>
    countMatches(deps.db, target, where, joins),
  )
}
