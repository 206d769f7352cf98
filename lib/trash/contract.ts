import { z } from 'zod'
import { undo, wholeNumber } from '@/lib/search/contract'
import { instant, jsonValue, strictObject } from '@/lib/values/wire-types'

/** Query of `DELETE /api/entities/:entityName/:id`. */
export const deleteRecordQuery = strictObject({ undo })

/** Query of `GET /api/trash`. */
export const trashQuery = strictObject({
  page: wholeNumber(z.number().max(1_000_000, 'is too large')).default(0),
  size: wholeNumber(
    z.number().min(1, 'must be at least 1').max(1000, 'must be at most 1000'),
  ).default(10),
  /** Only deletions of records of this entity. */
  entity: z.string().min(1).max(200).optional(),
  record: z.string().min(1).max(2_000).optional().meta({
    description:
      'With `entity`: only what holds the record with this `persistenceId`; nothing where policies hide records of the entity from the caller',
  }),
}).refine(({ entity, record }) => record === undefined || entity !== undefined, {
  path: ['record'],
  error: 'needs the parameter entity',
})
export type TrashQuery = z.infer<typeof trashQuery>

/** Query of `GET /api/trash/:batchId/records`. */
export const trashedRecordsQuery = strictObject({
  page: trashQuery.shape.page,
  size: trashQuery.shape.size,
})

/** Query of `DELETE /api/trash`. */
export const emptyTrashQuery = strictObject({ entity: trashQuery.shape.entity })

const MAX_CHOSEN = 1000

/** Query of `POST /api/trash/:batchId/restore`: ids of some of its records, as they are listed. */
export const restoreQuery = strictObject({
  records: z
    .string()
    .regex(/^\d{1,15}(,\d{1,15})*$/, 'must be ids, separated by commas')
    .transform((text) => text.split(',').map(Number))
    .refine((ids) => ids.length <= MAX_CHOSEN, `must be at most ${MAX_CHOSEN}`)
    .optional(),
})

export const batchParams = z.strictObject({ batchId: z.string().min(1).max(100) })

const removedPlugin = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string().nullable(),
})

/**
 * What can be undone: a deletion of records, or of plugins with their tables, an edit or an import of records, or a change of a policy
 * or a role.
 */
export const trashBatch = z
  .object({
    batchId: z.string(),
    kind: z.enum(['records', 'plugin', 'edit', 'import', 'policy', 'role']).meta({
      description:
        '`records`: deleted ones; `edit`: former values of records that were edited; `import`: the same of a file, with the records that it created; `policy`, `role`: what a change or deletion of one replaced',
    }),
    name: z.string().optional().meta({ description: 'Of a policy or a role' }),
    entity: z.string().nullable().meta({ description: 'Of records, edits and imports' }),
    plugins: z.array(removedPlugin).meta({
      description: 'That were uninstalled; none where single entities were removed',
    }),
    entities: z.array(z.string()).meta({ description: 'Whose tables were removed with them' }),
    count: z.int().meta({ description: 'Number of records still in it' }),
    created: z
      .int()
      .optional()
      .meta({ description: 'Of an import: those of them that it created' }),
    fileName: z.string().optional().meta({ description: 'Of an import' }),
    query: z.array(jsonValue).nullable().meta({
      description:
        'The conditions of the deletion or edit, none for all records; null where they are not known, and for callers who may not read the entity',
    }),
    set: z.record(z.string(), jsonValue).optional().meta({
      description: 'Of an edit: what fields were set to',
    }),
    ignored: z.array(z.string()).optional().meta({
      description:
        'Properties that the request for the deletion had beside `entity`: one of them may have been meant as the query, so the records were kept',
    }),
    deletedBy: z.string(),
    deletedAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'Engine.TrashBatch' })
export type TrashBatch = z.infer<typeof trashBatch>

/** Why a record, or a plugin as a whole, could not be restored and stays in the trash. */
const restoreConflict = z
  .object({
    key: jsonValue.meta({
      description: 'Its key; an object if it has several parts. Of plugins: a name',
    }),
    reason: z.enum([
      'key-taken',
      'unique-taken',
      'reference-gone',
      'does-not-fit',
      'name-taken',
      'changed-since',
      'record-gone',
      'still-referenced',
    ]),
    fields: z.array(z.string()),
    message: z.string(),
  })
  .meta({ id: 'Engine.RestoreConflict' })
export type RestoreConflict = z.infer<typeof restoreConflict>

export const trashBatchWithConflicts = trashBatch.extend({ conflicts: z.array(restoreConflict) })

/** The result of restoring a batch. */
export const restored = z.object({
  restored: z.int().meta({ description: 'Number of restored records' }),
  conflicts: z.array(restoreConflict).meta({ description: 'At most 1,000' }),
})
export type RestoreResult = z.infer<typeof restored>
export const restoredMeta = z.object({
  conflictCount: z
    .int()
    .optional()
    .meta({ description: 'When there are more conflicts than listed' }),
})

/** A record in the trash. */
export const trashedRecord = z
  .object({
    id: z.int().meta({ description: 'Its id in the trash' }),
    key: jsonValue.meta({ description: 'Its key; an object if it has several parts' }),
    record: z.record(z.string(), jsonValue).meta({
      description:
        'As it was; of an edit the fields that changed, with their former values; of one that an import created, as it was made',
    }),
    change: z
      .enum(['edited', 'created'])
      .optional()
      .meta({ description: 'Of edits and imports: what they did to it' }),
    changes: z
      .array(z.object({ field: z.string(), before: jsonValue, after: jsonValue }))
      .optional()
      .meta({ description: 'Of an edited one' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it could not be restored, the last time' }),
  })
  .meta({ id: 'Engine.TrashedRecord' })
export type TrashedRecord = z.infer<typeof trashedRecord>

/** The result of emptying the trash. */
export const emptied = z.object({ removed: z.int() })
