import type { Layer } from '@/lib/around'
import { daysOf } from '@/lib/retention/kept'
import { emptyTrash } from '@/lib/trash/empty-trash'
import { addBatch, moveToTrash } from '@/lib/trash/move-to-trash'

/**
 * Deleted records, and the former values of edited and imported ones, are kept for the days that a request asks for, and can be restored.
 * Without it, a deletion, an edit and an import are final.
 */
export const trash: Layer = {
  name: 'trash',
  around: {
    removeRecords: (deps, { entity, where, actor, undo }, next) =>
      undo
        ? moveToTrash(deps.db, entity, where, { days: undo, deletedBy: actor.name, actor })
        : next(deps),
  },
  adds: {
    editKeepers: [(tx, entity, edit) => addBatch(tx, entity, edit)],
    jobs: [{ name: 'empty trash', intervalMs: 600_000, run: emptyTrash }],
    retention: [
      {
        name: 'trash',
        title: 'Trash',
        tables: ['trash_batches', 'trash_records'],
        at: 'deleted_at',
        settings: ['TRASH_DAYS'],
        rule: ({ TRASH_DAYS }) =>
          `Plugins ${daysOf(TRASH_DAYS)}, whose tables are not counted here; records as long as their deletion asked for`,
      },
    ],
  },
}
