import type { Entity } from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import { AppError } from '@/lib/errors'

/**
 * The fields by which stored records are found: the key of the entity, or others that are unique (together). Throws
 * `invalid_input`.
 */
export function keyFields(entity: Entity, given: string | undefined): string[] {
  if (given === undefined) return entity.keys
  const wanted = given.split(',').map((name) => name.trim())
  const unique = uniqueFields(entity)
  const found = unique.find((fields) => isSame(fields, wanted))
  if (found) return found
  const names = unique.map((fields) => `"${fields.join(',')}"`).join(', ')
  throw new AppError(
    'invalid_input',
    `key: "${given}" does not identify one record; use ${names}`,
    {
      validations: [{ field: 'key', error: `must be one of ${names}` }],
    },
  )
}

/** The lists of fields that identify a record, that of the key first. */
export function uniqueFields(entity: Entity): string[][] {
  const lists = [
    entity.keys,
    ...entity.properties.filter(({ rules }) => rules.unique).map(({ name }) => [name]),
    ...entityIndexes(entity).flatMap(({ unique, fields }) => (unique ? [fields] : [])),
  ]
  return [...new Map(lists.map((fields) => [fields.join(), fields])).values()]
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name))
