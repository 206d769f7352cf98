import { z } from 'zod'

const MAX_NAME_CHARS = 200

const fields = z.array(z.string()).min(1, 'Must name at least one field').max(16)
const name = z.string().trim().min(1).max(MAX_NAME_CHARS)

/** Indexes as an entity definition writes them. */
export const indexesInput = z
  .array(z.object({ fields, unique: z.boolean().nullish(), name: name.nullish() }))
  .max(64)

/** Fields that are unique together, as an entity or a schema writes them. */
export const uniqueInput = z.array(z.object({ fields, name: name.nullish() })).max(64)

type Written = z.infer<typeof uniqueInput>[number]

export const toUniqueRule = ({ fields, name }: Written) => ({ fields, ...(name ? { name } : {}) })
