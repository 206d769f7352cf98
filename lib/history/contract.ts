import { z } from 'zod'
import { recordParams } from '@/lib/records/contract'
import { wholeNumber } from '@/lib/search/contract'
import { instant, jsonValue, strictObject } from '@/lib/values/wire-types'

/** The state before the oldest version that is kept. */
export const EARLIER = 0

/** Query of `GET /api/entities/:entityName/:id/history`. */
export const historyQuery = strictObject({
  page: wholeNumber(z.number().max(1_000_000, 'is too large')).default(0),
  size: wholeNumber(z.number().min(1, 'must be at least 1').max(50, 'must be at most 50')).default(
    10,
  ),
})
export type HistoryQuery = z.infer<typeof historyQuery>

/** Path of `POST /api/entities/:entityName/:id/history/:version/restore`. */
export const versionParams = recordParams.extend({
  version: wholeNumber(z.number()).meta({
    description: 'Of the history; 0: the state before the oldest version that is kept',
  }),
})

const by = z.object({
  type: z.enum(['user', 'api_key', 'system', 'anonymous']).nullable().meta({
    description: 'Null for an install, of which the name alone is known',
  }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Email or name of the key at the time; `Guest`' }),
})

const change = z
  .object({ field: z.string(), before: jsonValue.optional(), after: jsonValue.optional() })
  .meta({ description: 'Without `before` or `after`: the field had no value' })

/** What was done to a record at one time. */
export const recordVersion = z
  .object({
    version: z.int(),
    kind: z.enum(['insert', 'update', 'delete', 'earlier']).meta({
      description: '`earlier`: the state before the oldest version that is kept, of unknown origin',
    }),
    at: instant.nullable().meta({ description: 'Null for `earlier`' }),
    by: by.nullable().meta({
      description: 'Null for what was done in the database itself, and for `earlier`',
    }),
    action: z.string().nullable().meta({ description: 'Of the audit log: `records.update`, …' }),
    install: z
      .object({
        id: z.int(),
        kind: z.string(),
        pluginId: z.string().nullable(),
        pluginName: z.string().nullable(),
        version: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The install or rollback that did it' }),
    changes: z.array(change),
    formerFields: z.array(z.string()).meta({
      description: 'Fields that had a value and are no longer served; they are not restored',
    }),
    restorable: z.boolean().meta({
      description: 'Whether restoring it would bring back a state: not of the present one',
    }),
  })
  .meta({ id: 'Engine.HistoryEntry' })
export type RecordVersion = z.infer<typeof recordVersion>

export const historyMeta = z.object({
  kept: z.boolean().meta({
    description:
      'Whether the entity keeps every version (`history` of its definition); otherwise the last change in the console alone',
  }),
  exists: z.boolean().meta({ description: 'Whether the record is stored now' }),
  versions: z.int().meta({ description: 'How many versions of a record are kept at most' }),
  days: z.int().meta({ description: 'For how many days' }),
})
export type HistoryMeta = z.infer<typeof historyMeta>

/** Query of `POST /api/entities/:entityName/:id/history/:version/restore`. */
export const restoreQuery = strictObject({
  dryRun: z.stringbool('must be true or false').default(false).meta({
    description: 'Change nothing, and say which fields would change',
  }),
})

export const restoredMeta = z.object({
  changes: z.array(change).meta({
    description: 'From the state before to that of the version; not what the server itself notes',
  }),
  created: z.boolean().meta({ description: 'The record was deleted and is back' }),
  leftOut: z.array(z.string()).meta({
    description: 'Fields of the version that the entity no longer has',
  }),
})
