import { around } from '@/lib/around'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { countMatches } from './count-matches'
import { findTarget } from './find-target'
import { matchRecords } from './match-records'
import type { ConditionsInput } from './read-input'
import { resolveMatches } from './resolve-search'

/** The exact number of matching records; throws as `searchRecords` does. */
export async function countRecords(
  deps: Deps,
  entityName: string,
  input: ConditionsInput,
  reader: Actor | null = null,
): Promise<number> {
  const target = await findTarget(deps, entityName, reader)
  const { where, joins } = resolveMatches(target, input)
  const run = { target, search: { where, joins }, actor: reader }
  return around(deps, 'readRecords', target, (source) =>
    matchRecords(source, run, (source) => countMatches(source, target, where, joins)),
  )
}
