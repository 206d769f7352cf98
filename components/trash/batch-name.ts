import { countOf } from '@/components/ui/number'
import type { Right } from '@/lib/auth/rights'
import type { TrashBatch } from '@/lib/trash/contract'

type Named = Pick<TrashBatch, 'kind' | 'name' | 'entity' | 'plugins'>

/** The entity of deleted or edited records, a policy or role, or the names of uninstalled plugins. */
export const batchName = ({ name, entity, plugins }: Named): string =>
  name ?? entity ?? plugins.map(({ name }) => name).join(', ')

/** What a deletion took or an edit changed: `3 records`, `Shop with 3 records`, or `the role Clerk`. */
export function batchContent(batch: Named & Pick<TrashBatch, 'count'>): string {
  if (batch.name !== undefined) return `the ${batch.kind} ${batch.name}`
  const records = countOf(batch.count, 'record')
  return batch.kind === 'plugin' ? `${batchName(batch)} with ${records}` : records
}

/** The right to restore it. */
export const restoreRight = ({ kind, name, entity }: Named): Right =>
  entity === null
    ? name === undefined
      ? 'plugins:install'
      : 'security:manage'
    : { entity, action: kind === 'edit' ? 'update' : 'write' }
