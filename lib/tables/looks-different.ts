import { isDeepStrictEqual } from 'node:util'
import type { Entity, Property } from '@/lib/definitions/definition'
import type { StoredTable } from './column-spec'

/**
 * Whether records that nobody changes look different after a definition: fields go, come back with the values that they had,
 * are computed, or have another type.
 */
export function looksDifferent({ entity, columns }: StoredTable, { properties }: Entity): boolean {
  const [former, names] = [byName(entity.properties), byName(properties)]
  const isNew = ({ name, kind, rules }: Property): boolean => {
    const had = former.get(name)
    if (had) return had.kind !== kind || !isDeepStrictEqual(had.rules.computed, rules.computed)
    return rules.computed !== undefined || columns.some((column) => column.name === name)
  }
  return [...former.keys()].some((name) => !names.has(name)) || properties.some(isNew)
}

const byName = (properties: readonly Property[]) =>
  new Map(properties.map((property) => [property.name, property]))
