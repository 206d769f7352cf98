import type { Kind } from '@/lib/kinds/kind'
import type { Json } from '@/lib/values/json'
import { suggestion } from '@/lib/values/nearest'
import type { TypeDefinition } from './definition'
import { BUILT_IN_TYPES, typeKey } from './property-types'

/** Types that plugins define, by `typeKey`. */
export type Types = ReadonlyMap<string, TypeDefinition>

export const typesByName = (types: readonly TypeDefinition[]): Types =>
  new Map(types.map((type) => [typeKey(type.name), type]))

export type ResolvedType = {
  /** The built-in type at the end of the chain. */
  type: string
  kind: Kind
  /** The first of the chain that a plugin defines. */
  ofType?: string
  format?: string
  /** Rules of the whole chain; the type's own override those of its bases. */
  meta: ReadonlyMap<string, Json>
}

/** Follows `baseType` to a built-in type; `fault` says why there is none. */
export function resolveType(name: string, types: Types): ResolvedType | { fault: string } {
  const chain: string[] = []
  const meta = new Map<string, Json>()
  let key = typeKey(name)
  for (;;) {
    const builtIn = BUILT_IN_TYPES.get(key)
    const defined = types.get(key)
    const isBefore = builtIn?.isLate && defined && !chain.includes(defined.name)
    if (builtIn && !isBefore) {
      const { kind, format } = builtIn
      const [ofType] = chain
      return { type: key, kind, ...(ofType ? { ofType } : {}), ...(format ? { format } : {}), meta }
    }
    if (!defined) return { fault: unknownType(chain.at(-1), name, key, types) }
    if (chain.includes(defined.name))
      return { fault: `The types ${[...chain, defined.name].join(' → ')} are based on each other` }
    chain.push(defined.name)
    for (const [rule, value] of Object.entries(defined.meta))
      if (!meta.has(rule)) meta.set(rule, value)
    key = typeKey(defined.baseType)
  }
}

function unknownType(via: string | undefined, name: string, key: string, types: Types): string {
  const known = [...BUILT_IN_TYPES.keys(), ...[...types.values()].map((type) => type.name)]
  const guess = suggestion(key, known)
  if (via === undefined) return `There is no type "${name}"${guess || `; use ${COMMON_TYPES}`}`
  return `The type "${via}" is based on "${key}", which does not exist${guess}`
}

const COMMON_TYPES = 'string, integer, number, decimal, boolean, date, datetime, json or array'
