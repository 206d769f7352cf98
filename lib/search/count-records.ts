import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { findTarget } from '@/lib/tables/find-target'
import { countMatches } from './count-matches'
import type { ConditionsInput } from './read-input'
import { readRecords } from './read-source'
import { resolveMatches } from './resolve-search'
import { runSearch } from './run-search'
import { timeSearch } from './slow-searches'

/** The exact number of matching records; throws as `searchRecords` does. */
export async function countRecords(
  deps: Deps,
  entityName: string,
  input: ConditionsInput,
  reader: Actor | null = null,
): Promise<number> {
  const target = await findTarget(deps, entityName, reader)
  const { where, joins } = resolveMatches(target, input)
  const search = { where, joins }
  return readRecords(deps, target, (source) =>
    runSearch(source, { target, search, actor: reader }, () =>
      timeSearch(source, target, search, () => countMatches(source, target, where, joins)),
    ),
  )
}
