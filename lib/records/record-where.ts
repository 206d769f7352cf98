import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { isNumberKind, isWholeKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields } from '@/lib/search/order'
import { idSql } from '@/lib/search/record-json'
import { resolveWhere } from '@/lib/search/resolve-search'
import type { Resolved } from '@/lib/search/resolved'
import { columnSql, isWide, typedSql } from '@/lib/search/sql-terms'
import { conditionsSql } from '@/lib/search/to-sql'
import { isObject, type Json, parseJson } from '@/lib/values/json'

/** The condition that identifies one record by its `persistenceId`; throws `not_found` when none can. */
export const recordWhere = (target: SearchTarget, id: string): SQL =>
  isRecord(target, conditionsSql(resolveKey(target, id)), id)

/** The same for a compiled statement whose placeholders `id` and `key0`, `key1`, … get `keyValues`. */
export function compiledRecordWhere(target: SearchTarget): SQL {
  const parts = keyFields(target).map(
    (field, at) =>
      sql`${columnSql(field)} = ${typedSql(KINDS[field.kind].comparedAs, sql.placeholder(`key${at}`))}`,
  )
  return isRecord(target, sql.join(parts, sql` and `), sql.placeholder('id'))
}

/**
 * Values of that statement's placeholders; null for an id that only `recordWhere` can compare. Throws
 * `not_found` when no record can have it.
 */
export function keyValues(target: SearchTarget, id: string): Record<string, string> | null {
  if (SMALL_NUMBER.test(id) && hasWholeKey(target)) return { id, key0: id }
  const values: Record<string, string> = { id }
  for (const [at, test] of resolveKey(target, id).entries()) {
    const [literal] = test.type === 'test' ? test.values : []
    if (test.type !== 'test' || literal?.type !== KINDS[test.field.kind].comparedAs) return null
    if (isWholeKind(test.field.kind) && isWide(literal)) return null
    values[`key${at}`] = literal.text
  }
  return values
}

/** Of each type of whole numbers but the smallest, and written as a key is. */
const SMALL_NUMBER = /^[1-9]\d{0,8}$/

const hasWholeKey = ({ keys: [only, ...others], fields }: SearchTarget): boolean =>
  others.length === 0 && fields.some(({ name, kind }) => name === only && isWholeKind(kind))

const isRecord = (target: SearchTarget, where: SQL, id: string | SQLWrapper): SQL =>
  hasNumberKey(target) ? sql`(${where} and ${idSql(target)} = ${id})` : where

/** A test for each key field, in order. */
function resolveKey(target: SearchTarget, id: string): Resolved[] {
  const conditions = keyConditions(target.keys, id)
  if (!conditions) throw recordNotFound(target.name, id)
  try {
    const tests = resolveWhere(target, { conditions, conditionsName: 'query' })
    if (tests.some((test) => isBeyond(test) || isRelative(test)))
      throw recordNotFound(target.name, id)
    return tests
  } catch (error) {
    // No record has an id that the key's type can't hold.
    if (error instanceof AppError) throw recordNotFound(target.name, id)
    throw error
  }
}

/** A whole number of no column, or a fraction. */
const isBeyond = (test: Resolved): boolean =>
  test.type === 'test' && isWholeKind(test.field.kind) && test.values[0]?.type === 'numeric'

/** A time relative to now is a condition, and no record's id. */
const isRelative = (test: Resolved): boolean =>
  test.type === 'test' &&
  test.values.some((value) => value.type !== 'json' && value.written !== undefined)

/** Values compare as numbers, but a record has one id: `01` and `1.0` are not the id of record 1. */
const hasNumberKey = ({ keys: [only, ...others], fields }: SearchTarget): boolean =>
  others.length === 0 && fields.some(({ name, kind }) => name === only && isNumberKind(kind))

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

/** The parts of the `persistenceId` of a key of several fields, base64url of a JSON object; null for others. Rounded numbers would identify another record. */
export function decodeComposite(id: string) {
  try {
    const json = parseJson(Buffer.from(id, 'base64url'), { exactly: true })
    return isObject(json) ? json : null
  } catch {
    return null
  }
}
