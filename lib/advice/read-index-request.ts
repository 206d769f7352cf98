import type { Entity } from '@/lib/definitions/definition'
import { AppError, type Validation } from '@/lib/errors'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { targetOf } from '@/lib/registry/target'
import { fieldResolver } from '@/lib/search/resolve-field'
import type { FieldRef } from '@/lib/search/resolved'
import type { IndexBody } from './contract'
import { type IndexRequest, partOf } from './index-request'

type Wanted = { field: string; use: 'equal' | 'sort'; direction: 'asc' | 'desc' }

/** Resolves a request against the entity; throws `invalid_input` that names every fault. */
export function readIndexRequest(entity: Entity, body: IndexBody): IndexRequest {
  const fieldOf = fieldResolver(targetOf(entity))
  const faults: Validation[] = []
  const parts = body.fields.flatMap((item, index) => {
    const wanted: Wanted =
      typeof item === 'string' ? { field: item, use: 'equal', direction: 'asc' } : item
    const found = fieldOf(wanted.field)
    const fault = 'fault' in found ? found.fault : faultOf(body, wanted, found)
    if (fault !== null) faults.push({ field: `fields.${index}`, error: fault })
    if ('fault' in found) return []
    return [partOf(found, wanted.use, isJson(found) && wanted.direction === 'desc')]
  })
  const names = parts.map(({ column, path }) => JSON.stringify([column, path]))
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index)
  if (repeated >= 0) faults.push({ field: `fields.${repeated}`, error: 'Is named twice' })
  if (body.kind !== 'btree' && body.fields.length > 1)
    faults.push({ field: 'fields', error: `An index of the kind "${body.kind}" has one field` })
  if (body.kind !== 'btree' && body.unique)
    faults.push({ field: 'unique', error: 'Only an index of the kind "btree" can be unique' })
  const [first] = faults
  if (!first) return { kind: body.kind, unique: body.unique, parts }
  throw new AppError('invalid_input', `${first.field}: ${first.error}`, { validations: faults })
}

export const isJson = ({ kind }: Pick<FieldRef, 'kind'>) => isJsonKind(kind)

// Deeper paths are sorted by expressions that PostgreSQL allows in no index.
export const isSortable = ({ path }: Pick<FieldRef, 'path'>) =>
  path.length < 2 && !path.some((key) => /^-?\d+$/.test(key))

function faultOf({ kind, unique }: IndexBody, { use }: Wanted, field: FieldRef): string | null {
  const name = JSON.stringify(field.name)
  if (kind === 'trigram')
    return isTextKind(field.kind) ? null : `${name} is no text; use the kind "btree" or "json"`
  if (kind === 'json')
    return isJson(field) ? null : `${name} is no JSON; use the kind "btree" or "trigram"`
  if (unique && (isJson(field) || use === 'sort'))
    return `${name} can't be unique: only declared fields can, by their exact values`
  if (!isJson(field)) return null
  if (use === 'equal')
    return `${name} is JSON: use the kind "json" for equality, or "use": "sort" to sort by it`
  return isSortable(field) ? null : `${name} is too deep in its JSON to be sorted by an index`
}
