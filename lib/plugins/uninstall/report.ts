import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/types'
import type { UninstallReport } from '@/lib/plugins/uninstall-contract'
import { countEntities, type RecordCount } from '@/lib/registry/count-entities'
import { mayRead } from '@/lib/registry/may-read'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { countEdited } from './count-edited'
import { mentionsOf } from './mentions'
import { dependents, type Removal } from './removal'

/** The number of records of each entity, by name. */
export type Counts = ReadonlyMap<string, RecordCount>

const NOT_COUNTED: ReadonlyMap<string, number> = new Map()

/** What goes, what it would leave behind, and what names it. */
export async function reportOn(
  db: Db,
  removal: Removal,
  { actor, records, dryRun }: { actor: Actor; records: 'trash' | 'keep'; dryRun: boolean },
): Promise<{ report: UninstallReport; counts: Counts }> {
  const entities = removal.entities.map(({ row, schema }) => mergeEntity(row, schema))
  const counts = await countEntities(db, entities)
  const edited = dryRun ? await countEdited(db, entities) : NOT_COUNTED
  const report: UninstallReport = {
    plugins: removal.plugins.map(({ id, name, version }) => ({ id, name, version })),
    records,
    entities: entities.map((entity) => {
      const { value, isEstimate } = counts.get(entity.name) ?? { value: 0, isEstimate: false }
      const { name, pluginId } = entity
      const isShown = mayRead(actor, entity)
      return {
        ...{ name, pluginId, records: isShown ? value : null, isEstimate },
        edited: isShown ? (edited.get(name) ?? null) : null,
      }
    }),
    schemas: removal.schemas.map(({ name }) => name),
    types: removal.types.map(({ name }) => name),
    roles: removal.roles.map(({ name }) => name),
    policies: removal.policies.map(({ name, allow }) => ({ name, allow })),
    blockedBy: records === 'keep' ? [] : dependents(removal),
    mentions: await mentionsOf(db, removal),
    history: null,
    batchId: null,
    expiresAt: null,
  }
  return { report, counts }
}
