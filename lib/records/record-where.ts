import { type SQL, sql } from 'drizzle-orm'
import type { Kind } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import type { SearchTarget } from '@/lib/registry/target'
import { idSql } from '@/lib/search/record-json'
import { resolveWhere } from '@/lib/search/resolve-search'
import { whereSql } from '@/lib/search/to-sql'
import { isObject, type Json, parseJson } from '@/lib/values/json'

/** The condition that identifies one record by its `persistenceId`; throws `not_found` when none can. */
export function recordWhere(target: SearchTarget, id: string): SQL {
  const conditions = keyConditions(target.keys, id)
  if (!conditions) throw recordNotFound(target.name, id)
  try {
    const where = whereSql(resolveWhere(target, { conditions, conditionsName: 'query' }))
    return hasNumberKey(target) ? sql`(${where} and ${idSql(target)} = ${id})` : where
  } catch (error) {
    // No record has an id that the key's type can't hold.
    if (error instanceof AppError) throw recordNotFound(target.name, id)
    throw error
  }
}

/** Values compare as numbers, but a record has one id: `01` and `1.0` are not the id of record 1. */
const hasNumberKey = ({ keys: [only, ...others], fields }: SearchTarget): boolean =>
  others.length === 0 && fields.some(({ name, kind }) => name === only && NUMBERS.has(kind))

const NUMBERS = new Set<Kind>(['integer', 'decimal', 'float'])

export const recordNotFound = (entity: string, id: string) =>
  new AppError('not_found', `There is no ${entity} with the id ${JSON.stringify(id.slice(0, 200))}`)

function keyConditions(keys: readonly string[], id: string): Json[] | null {
  const [only] = keys
  if (keys.length === 1 && only) return [{ field: only, operator: 'eq', value: id }]
  const parts = decodeComposite(id)
  if (!parts || Object.keys(parts).length !== keys.length) return null
  if (!keys.every((key) => Object.hasOwn(parts, key) && parts[key] !== null)) return null
  return keys.map((field) => ({ field, operator: 'eq', value: parts[field] ?? null }))
}

/** base64url of a JSON object, interface.md §6. Rounded numbers would identify another record. */
function decodeComposite(id: string) {
  try {
    const json = parseJson(Buffer.from(id, 'base64url'), { exactly: true })
    return isObject(json) ? json : null
  } catch {
    return null
  }
}
