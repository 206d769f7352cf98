import 'server-only'
import { movedRecords, placementOf, readCluster } from '@/lib/db/cluster'
import type { Deps } from '@/lib/deps'
import { findEntity, listEntities } from '@/lib/registry/registry'
import type { DistributionState } from './distribution-contract'

/** Where the records of an entity are, and the progress while they are moved. Throws `not_found`. */
export async function distributionOf(
  deps: Deps,
  { entityName }: { entityName: string },
): Promise<DistributionState> {
  const { name, table, definition } = await findEntity(deps, entityName)
  const stated = { entity: name, distribution: definition.distribution ?? null }
  if (!(await readCluster(deps.db))) return { ...stated, placement: null, move: null }
  const found = await placementOf(deps.db, table)
  if (!found) return { ...stated, placement: null, move: null }
  const { type, records } = found
  const copied = await movedRecords(deps.db, table)
  const move = copied === null ? null : { copied, records: Math.max(copied, records) }
  if (found.type !== 'distributed') return { ...stated, placement: { type }, move }
  const { by, shards, colocation } = found
  const others = (await listEntities(deps)).filter((other) => other.name !== name)
  const placements = await Promise.all(others.map((other) => placementOf(deps.db, other.table)))
  const beside = others.filter((_, at) => {
    const other = placements[at]
    return other?.type === 'distributed' && other.colocation === colocation
  })
  const placement = { type, by, shards, with: beside.map((other) => other.name) }
  return { ...stated, placement, move }
}
