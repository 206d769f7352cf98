import { z } from 'zod'
import { FAULT_RULES } from '@/lib/definitions/definition-faults'
import { count, jsonValue } from '@/lib/values/wire-types'

/** Faults of records by one rule. */
export const faultGroup = z
  .object({
    entity: z.string().nullable().meta({
      description: 'Whose stored records are at fault; null: those of the file',
    }),
    rule: z.enum(FAULT_RULES),
    field: z.string().nullable(),
    value: jsonValue.optional().meta({
      description: 'What all of them have; left out when they have more than 10 different values',
    }),
    examples: z.array(jsonValue).optional().meta({ description: 'Some of these values, up to 10' }),
    allowed: jsonValue.optional().meta({
      description: 'What the rule allows: values, a limit, a pattern, the name of a type or entity',
    }),
    message: z.string().meta({ description: 'The rule in words' }),
    total: count.meta({ description: 'The exact number of records' }),
    keys: z.array(jsonValue).meta({ description: 'Keys of the first 10 stored records' }),
    indexes: z.array(count).meta({ description: 'Of the first 10 records of the file, from 0' }),
    filter: z
      .array(z.object({ field: z.string(), operator: z.string(), value: jsonValue.optional() }))
      .nullable()
      .meta({
        description:
          'As `query` of a search of the entity it finds exactly these records; null where no search does',
      }),
  })
  .meta({ id: 'Engine.FaultGroup' })

/** A fault and where it is. */
export const fileDetail = z.object({
  index: z.int().optional().meta({ description: 'Index of the record in its file, from 0' }),
  pointer: z.string().optional().meta({ description: 'JSON pointer in the record' }),
  line: z.int().optional(),
  column: z.int().optional(),
  key: jsonValue.optional(),
  value: jsonValue.optional().meta({ description: 'The offending value, shortened' }),
  message: z.string(),
})
