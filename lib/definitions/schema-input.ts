import { z } from 'zod'
import { schemaHeader } from './parse-schema-definition'
import { BUILT_IN_TYPES } from './property-types'
import { RULE_SCHEMAS } from './read/read-rules'

/** A rule that is null is not given. */
const rules = Object.fromEntries(
  Object.entries(RULE_SCHEMAS).map(([name, rule]) => [name, rule.nullish()]),
) as { [K in keyof typeof RULE_SCHEMAS]: z.ZodOptional<z.ZodNullable<(typeof RULE_SCHEMAS)[K]>> }

/** The rules of a property or type, as written. */
export const rulesInput = z.looseObject(rules)

const property = rulesInput.extend({
  name: z.string(),
  type: z.string().meta({ suggested: [...BUILT_IN_TYPES.keys()] }),
  label: z.string().nullish(),
  meta: rulesInput.nullish(),
})

/** A schema definition as written; a JSON Schema of an object, the other form, is described loosely. */
export const schemaInput = schemaHeader.extend({
  properties: z.union([z.array(property), z.looseObject({})]).nullish(),
})
