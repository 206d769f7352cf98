import { countOf } from '@/components/ui/number'
import type { Right } from '@/lib/auth/rights'
import type { TrashBatch } from '@/lib/trash/contract'

type Named = Pick<TrashBatch, 'kind' | 'name' | 'entity' | 'plugins' | 'entities'>

/** The entity of deleted, edited or imported records, a policy or role, or the names of uninstalled plugins or removed entities. */
export const batchName = ({ name, entity, plugins, entities }: Named): string =>
  name ?? entity ?? (plugins.length > 0 ? plugins.map((one) => one.name) : entities).join(', ')

/** What a deletion took, or an edit or import changed: `3 records`, `Shop with 3 records`, or `the role Clerk`. */
export function batchContent(batch: Named & Pick<TrashBatch, 'count'>): string {
  if (batch.name !== undefined) return `the ${batch.kind} ${batch.name}`
  const records = countOf(batch.count, 'record')
  return batch.kind === 'plugin' ? `${batchName(batch)} with ${records}` : records
}

/** The right to restore it; of an import that to remove what it created, if it did. */
export const restoreRight = ({ kind, name, entity, created }: Restorable): Right =>
  entity === null
    ? name === undefined
      ? 'plugins:install'
      : 'security:manage'
    : { entity, action: actionOf(kind, created) }

type Restorable = Named & Pick<TrashBatch, 'created'>

function actionOf(kind: TrashBatch['kind'], created = 0): 'update' | 'delete' | 'write' {
  if (kind === 'import') return created > 0 ? 'delete' : 'update'
  return kind === 'edit' ? 'update' : 'write'
}
