import { z } from 'zod'
import { entityDisplay } from '@/lib/definitions/display-contract'

const switches = z.object({
  read: z.boolean(),
  write: z.boolean(),
  update: z.boolean(),
  delete: z.boolean(),
})

/** An entity in lists. */
export const entitySummary = z
  .object({
    name: z.string(),
    label: z.string().nullable(),
    description: z.string().nullable(),
    pluginId: z.string().nullable(),
    pluginName: z.string().nullable().meta({ description: 'As its manifest says' }),
    engineSchema: z.string().nullable(),
    open: z.boolean().meta({ description: 'Undeclared fields are kept' }),
    keys: z.array(
      z.object({
        key: z.string(),
        strategy: z.enum(['AutoIncrement', 'UUID', 'Fixed']),
        type: z.enum(['number', 'string']),
      }),
    ),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        reference: z
          .string()
          .optional()
          .meta({ description: 'The entity to whose records it refers' }),
      }),
    ),
    table: z
      .object({ schema: z.string(), name: z.string() })
      .meta({ description: 'In the database' }),
    indexes: z.array(
      z.object({ fields: z.array(z.string()), unique: z.boolean(), name: z.string().optional() }),
    ),
    insertDuplicate: z.enum(['Error', 'Upsert', 'Ignore']),
    updateStrategy: z.enum(['Upsert', 'Replace']),
    permissions: switches,
    auditable: z.boolean(),
    history: z.boolean().meta({ description: 'Every version of its records is kept' }),
    events: z.boolean().meta({ description: 'Changes of its records can be followed' }),
    link: z
      .boolean()
      .meta({ description: 'Its records link those to which its two references lead' }),
    display: entityDisplay
      .optional()
      .meta({ description: 'How people see its records; absent: the definition says nothing' }),
    distribution: z
      .union([
        z.enum(['local', 'reference']),
        z.object({ by: z.string(), with: z.string().optional() }),
      ])
      .optional()
      .meta({ description: 'Where a cluster keeps the records; absent: by default, locally' }),
    records: z
      .object({ value: z.int(), isEstimate: z.boolean() })
      .optional()
      .meta({ description: 'Their number, when asked for' }),
  })
  .meta({ id: 'Engine.Entity' })
export type EntitySummary = z.infer<typeof entitySummary>
