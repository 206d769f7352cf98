import type { TypeDefinition } from './definition'
import { typeKey } from './property-types'
import type { Types } from './resolve-type'

/** How many of `types` a type is based on, one upon the other: its bases have less. */
export function baseDepth({ name, baseType }: TypeDefinition, types: Types): number {
  const seen = new Set([typeKey(name)])
  let base = types.get(typeKey(baseType))
  while (base && !seen.has(typeKey(base.name))) {
    seen.add(typeKey(base.name))
    base = types.get(typeKey(base.baseType))
  }
  return seen.size - 1
}
