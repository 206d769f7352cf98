import { z } from 'zod'

/** One of `values`, case-insensitive. */
export const word = <const T extends string>(...values: [T, ...T[]]) =>
  z.preprocess((input) => {
    const known = values.find((value) => value.toLowerCase() === String(input).toLowerCase())
    return known ?? input
  }, z.enum(values))

const optionalName = z
  .string()
  .nullish()
  .transform((name) => name?.trim() || null)

const permission = z
  .boolean()
  .nullish()
  .transform((allowed) => allowed ?? true)

/** An entity definition as written, interface.md §4; unknown keys are left out. */
export const entityInput = z.object({
  name: z.string(),
  description: z.string().nullish(),
  engineSchema: optionalName,
  dbTable: optionalName,
  dbSchema: optionalName,
  type: word('Table').nullish(),
  pks: z
    .array(
      z.object({
        key: z.string(),
        strategy: word('AutoIncrement', 'UUID', 'Fixed').nullish(),
        type: word('number', 'string').nullish(),
      }),
    )
    .max(8, 'At most 8 keys are allowed')
    .nullish(),
  insertDuplicate: word('Error', 'Upsert', 'Ignore').nullish(),
  updateStrategy: word('Upsert', 'Replace').nullish(),
  permissions: z
    .object({ read: permission, write: permission, update: permission, delete: permission })
    .nullish(),
  auditable: z.boolean().nullish(),
  indexes: z
    .array(
      z.object({
        fields: z.array(z.string()).min(1, 'Must name at least one field').max(16),
        unique: z.boolean().nullish(),
      }),
    )
    .max(64)
    .nullish(),
})
export type EntityInput = z.infer<typeof entityInput>
