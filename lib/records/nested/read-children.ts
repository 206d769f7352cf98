import type { Validation } from '@/lib/errors'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { elementsOf, readParts, type SentElement } from '../read-parts'

/** A record in the request, and its place. */
type SentChild = { record: JsonObject; pointer: string }

/** What a record says of its children by one list. */
type ChildrenOfOne = { create: SentChild[]; update: SentChild[]; remove: SentElement[] }

const SHAPE =
  'Must be { "create": [records], "update": [records with their keys], "delete": [keys] }'
const OF_NEW = 'Must be a list of records, or { "create": [records] }'
const AMBIGUOUS =
  'A list does not say whether it replaces those that are there: say { "create": [records] } to add records'

/** `isNew`: the record is to be created, so that a list can only mean to create its elements, too. */
export function readChildren(
  value: Json,
  pointer: string,
  isNew: boolean,
): ChildrenOfOne | Validation[] {
  if (Array.isArray(value) && !isNew) return [{ field: pointer, error: AMBIGUOUS }]
  const read = Array.isArray(value)
    ? { create: elementsOf(value, pointer) }
    : isNew
      ? readParts(value, pointer, ['create'], OF_NEW)
      : readParts(value, pointer, ['create', 'update', 'delete'], SHAPE)
  return Array.isArray(read) ? read : withRecords({ update: [], delete: [], ...read })
}

type Parts = Record<'create' | 'update' | 'delete', SentElement[]>

function withRecords({ create, update, delete: remove }: Parts): ChildrenOfOne | Validation[] {
  const faults = [...create, ...update]
    .filter(({ value }) => !isObject(value))
    .map(({ pointer }) => ({ field: pointer, error: 'Must be an object with fields of a record' }))
  if (faults.length > 0) return faults
  const children = (elements: SentElement[]) =>
    elements.map(({ value, pointer }) => ({ record: value as JsonObject, pointer }))
  return { create: children(create), update: children(update), remove }
}
