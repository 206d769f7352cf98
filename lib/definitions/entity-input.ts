import { z } from 'zod'
import { entityDisplayInput } from './display-input'
import { indexesInput, uniqueInput } from './unique-input'

/** One of `values`, case-insensitive; JSON Schemas say so by `anyCase`. */
export const word = <const T extends string>(...values: [T, ...T[]]) =>
  z
    .preprocess((input) => {
      const known = values.find((value) => value.toLowerCase() === String(input).toLowerCase())
      return known ?? input
    }, z.enum(values))
    .meta({ anyCase: true })

const optionalName = z
  .string()
  .nullish()
  .transform((name) => name?.trim() || null)

const permission = z
  .boolean()
  .nullish()
  .transform((allowed) => allowed ?? true)

/** One former name, or several. */
export const formerNames = z.union(
  [z.string(), z.array(z.string()).max(16)],
  'Must be a name or a list of names',
)

/** `with` names an entity whose records of the same value are on the same node. */
const distributionInput = z.union(
  [word('local', 'reference'), z.object({ by: z.string(), with: z.string().nullish() })],
  'Must be "local", "reference" or { "by": a key }',
)

/** An entity definition as written; unknown keys are left out. */
export const entityInput = z.object({
  name: z.string(),
  renamedFrom: formerNames.nullish(),
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
        renamedFrom: formerNames.nullish(),
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
  history: z.boolean().nullish(),
  events: z.boolean().nullish(),
  link: z.boolean().nullish(),
  indexes: indexesInput.nullish(),
  unique: uniqueInput.nullish(),
  display: entityDisplayInput.nullish(),
  distribution: distributionInput.nullish(),
})
export type EntityInput = z.infer<typeof entityInput>
