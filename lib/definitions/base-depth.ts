import type { TypeDefinition } from './definition'
import { typeKey } from './property-types'
import type { Types } from './resolve-type'

/** The number of `types` that a type is based on, directly or not; its bases have lower numbers. */
export function baseDepth({ name, baseType }: TypeDefinition, types: Types): number {
  const seen = new Set([typeKey(name)])
  let base = types.get(typeKey(baseType))
  while (base && !seen.has(typeKey(base.name))) {
    seen.add(typeKey(base.name))
    base = types.get(typeKey(base.baseType))
  }
  return seen.size - 1
}
