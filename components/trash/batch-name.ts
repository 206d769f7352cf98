import { countOf } from '@/components/ui/number'
import type { Right } from '@/lib/auth/rights'
import type { TrashBatch } from '@/lib/trash/contract'

type Named = Pick<TrashBatch, 'kind' | 'entity' | 'plugins'>

/** The entity of deleted or edited records, or the names of uninstalled plugins. */
export const batchName = ({ entity, plugins }: Named): string =>
  entity ?? plugins.map(({ name }) => name).join(', ')

/** What a deletion took or an edit changed: `3 records`, or `Shop with 3 records`. */
export const batchContent = (batch: Named & Pick<TrashBatch, 'count'>): string =>
  batch.kind === 'plugin'
    ? `${batchName(batch)} with ${countOf(batch.count, 'record')}`
    : countOf(batch.count, 'record')

/** The right to restore it. */
export const restoreRight = ({ kind, entity }: Named): Right =>
  kind === 'plugin'
    ? 'plugins:install'
    : { entity: entity ?? '', action: kind === 'edit' ? 'update' : 'write' }
