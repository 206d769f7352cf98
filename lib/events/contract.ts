import { z } from 'zod'
import { wholeNumber } from '@/lib/search/contract'
import { instant, jsonValue, strictObject } from '@/lib/values/wire-types'

const following = {
  since: z.string().min(1).max(200).optional().meta({
    description: '`meta.cursor` of a response; without it only a cursor of this moment is returned',
  }),
  limit: wholeNumber(
    z.number().min(1, 'must be at least 1').max(1000, 'must be at most 1000'),
  ).default(100),
  wait: wholeNumber(z.number().max(60, 'must be at most 60')).default(0).meta({
    description: 'How many seconds to wait for a change where there is none',
  }),
  many: z.enum(['count', 'records'], 'must be count or records').default('count').meta({
    description:
      'Of installs and statements of more than 100 records: one change with their number, or each record',
  }),
}

/** Query of `GET /api/entities/:entityName/changes`. */
export const changesQuery = strictObject({
  ...following,
  filter: z.string().default('').meta({
    description: 'Conditions as in a search: records enter and leave what they match',
  }),
})
export type ChangesQuery = z.infer<typeof changesQuery>

const MAX_ENTITIES = 20

/** Query of `GET /api/changes`. */
export const changesOfManyQuery = strictObject({
  entities: z
    .string()
    .transform((names) => [...new Set(names.split(',').map((name) => name.trim()))])
    .pipe(
      z
        .array(z.string().min(1, 'must name entities, with a comma between them'))
        .max(MAX_ENTITIES, `must be at most ${MAX_ENTITIES} entities`),
    )
    .meta({ description: 'Names, with a comma between them' }),
  ...following,
})

const record = z.record(z.string(), jsonValue)

/** A change of a record, or of many. */
export const recordChange = z
  .object({
    cursor: z.string().meta({ description: 'The place after it' }),
    entity: z.string(),
    action: z.enum(['created', 'updated', 'deleted', 'entered', 'left', 'many']).meta({
      description:
        '`entered`, `left`: an update by which the record came into what the caller sees, or out of it',
    }),
    key: z.string().nullable().meta({ description: 'The `persistenceId`; null for `many`' }),
    at: instant,
    fields: z.array(z.string()).meta({ description: 'That differ, of those that the caller sees' }),
    before: record
      .nullable()
      .meta({ description: 'Null where it was not there, or not to be seen' }),
    after: record.nullable(),
    counts: z
      .object({ created: z.int(), updated: z.int(), deleted: z.int() })
      .nullable()
      .meta({ description: 'Of `many`; null where the caller does not see every record' }),
    actor: z.object({ type: z.string().nullable(), name: z.string().nullable() }).nullable(),
    cause: z.object({
      action: z
        .string()
        .nullable()
        .meta({ description: 'Of the audit log; null: in the database' }),
      install: z
        .object({
          id: z.int(),
          kind: z.string(),
          pluginId: z.string().nullable(),
          version: z.string().nullable(),
        })
        .nullable(),
    }),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'Engine.ChangeEvent' })

export const changesMeta = z.object({
  cursor: z.string().meta({ description: 'Where to go on' }),
  more: z.boolean().meta({ description: 'Whether there are more at once' }),
})
