import type { Deps } from '@/lib/runtime'
import { countMatches } from './count-matches'
import { findTarget } from './find-target'
import type { ConditionsInput } from './search/read-input'
import { resolveWhere } from './search/resolve-search'

/** The exact number of records that match; throws as `searchRecords` does. */
export async function countRecords(
  deps: Deps,
  entityName: string,
  input: ConditionsInput,
): Promise<number> {
  const target = await findTarget(deps, entityName)
  return countMatches(deps.db, target, resolveWhere(target, input))
}
