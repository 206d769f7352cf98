import { z } from 'zod'
import type { Json } from '@/lib/values/json'
import type { TypeDefinition } from './definition'
import { check, fault, type Parsed } from './definition-faults'
import { identifierFault } from './names'
import { BUILT_IN_TYPES, typeKey } from './property-types'
import { unstorableText } from './unstorable-text'

/** The definition of a type as written. */
export const typeInput = z.object({
  name: z.string(),
  baseType: z.string().min(1),
  meta: z.looseObject({}).nullish(),
})

/**
 * Reads the definition of a property type. `typeFaults` checks, with the other types, whether its
 * base exists and its rules fit.
 */
export function parseTypeDefinition(json: Json): Parsed<TypeDefinition> {
  const unstorable = unstorableText(json)
  if (unstorable.length > 0) return { faults: unstorable }
  const found = check(typeInput, json)
  if ('faults' in found) return found
  const { name, baseType, meta } = found.data
  const faults = []
  const nameFault = identifierFault(name)
  if (nameFault) faults.push(fault('/name', nameFault, name))
  const builtIn = BUILT_IN_TYPES.get(typeKey(name))
  if (builtIn && !builtIn.isLate)
    faults.push(fault('/name', `"${name}" is a type of the engine; choose another name`, name))
  if (faults.length > 0) return { faults }
  const rules = Object.entries(meta ?? {}).filter(([, value]) => value !== null)
  return {
    definition: { name, baseType, meta: Object.fromEntries(rules) as TypeDefinition['meta'] },
  }
}
