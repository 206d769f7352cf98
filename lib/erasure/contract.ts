import { z } from 'zod'
import { effect } from '@/lib/records/contract'
import { wholeNumber } from '@/lib/search/contract'
import { count, strictObject, trimmedText } from '@/lib/values/wire-types'

export const erasureQuery = strictObject({
  dryRun: z
    .stringbool('must be true or false')
    .default(false)
    .meta({ description: 'Only report what it would do' }),
})

/** Body of `POST /api/users/:userId/erasure`. */
export const personErasureBody = strictObject({
  confirm: trimmedText(
    { missing: 'The email is missing', max: 254, tooLong: 'The email is too long' },
    'The email must be a text',
  )
    .optional()
    .meta({ description: 'The email of the person; a dry run needs none' }),
}).meta({ id: 'Engine.NewPersonErasure' })

/** What an erasure did to a table. */
const erasedPart = z
  .object({
    table: z.string().meta({ description: 'With its schema, as backups name it' }),
    deleted: count.meta({ description: 'Rows that are deleted' }),
    changed: count.meta({ description: 'Rows that stay without what is erased' }),
  })
  .meta({ id: 'Engine.ErasedPart' })
export type ErasedPart = z.infer<typeof erasedPart>

export const personErasure = z
  .object({
    dryRun: z.boolean(),
    pseudonym: z
      .string()
      .nullable()
      .meta({ description: 'What stands where the person stood; null for a dry run' }),
    parts: z.array(erasedPart),
    remaining: z.array(z.object({ table: z.string(), rows: count })).meta({
      description:
        'Rows of records, their copies and definitions in which an email of the person stands: what people wrote there is not changed',
    }),
  })
  .meta({ id: 'Engine.PersonErasure' })
export type PersonErasure = z.infer<typeof personErasure>

export const personExport = z
  .record(z.string(), z.array(z.unknown()))
  .meta({ id: 'Engine.PersonExport', description: 'Kind of what is stored → its rows' })

/** What fits into an address. */
const MAX_VIEWS = 100

export const recordsErasureQuery = erasureQuery.extend({
  expected: wholeNumber(z.int()).optional().meta({
    description:
      'The number of records that are deleted, as the dry run says; a dry run needs none',
  }),
  expectedOthers: wholeNumber(z.int()).optional().meta({
    description: 'The number of `others`, as the dry run says; without it, none',
  }),
  views: z
    .string()
    .transform((ids) => ids.split(','))
    .pipe(z.array(z.uuid('must be ids of saved views, separated by commas')).max(MAX_VIEWS))
    .optional()
    .meta({
      description:
        'Ids of saved views that are deleted, too, of the `views` of a dry run, separated by commas',
    }),
})

const namedView = z
  .object({ id: z.uuid(), entity: z.string(), name: z.string() })
  .meta({ id: 'Engine.NamedView' })
export type NamedView = z.infer<typeof namedView>

export const recordsErasure = z
  .object({
    dryRun: z.boolean(),
    records: count.meta({ description: 'Records that are deleted' }),
    others: count.meta({
      description:
        'Further records: those of which copies match, deleted before or different now, and those of `effects`',
    }),
    parts: z.array(erasedPart),
    effects: z.array(effect).meta({ description: 'On records that refer to the deleted ones' }),
    views: z.array(namedView).meta({
      description:
        'Saved views of any entity that stay, though their names or filters have a text or a number of the conditions',
    }),
  })
  .meta({ id: 'Engine.ErasedMatches' })
export type RecordsErasure = z.infer<typeof recordsErasure>
