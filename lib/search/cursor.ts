import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AppSecret, deriveKey, readingKeys } from '@/lib/crypto/derive-key'
import { AppError } from '@/lib/errors'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields } from './order'
import type { FieldRef, Position, Resolved, ResolvedSearch, ResolvedSort } from './resolved'
import type { CursorInput } from './search-input'

const MAC_BYTES = 16

type Ordered = Pick<ResolvedSearch, 'where' | 'sort'>

/**
 * An opaque text for a position (`Position` as JSON text) in a search result. It is valid for this entity,
 * these conditions and this sort only, on every instance, and does not expire.
 */
export function writeCursor(
  secret: AppSecret,
  target: SearchTarget,
  search: Ordered,
  position: string,
): string {
  const mac = macOf(deriveKey(secret, 'cursor'), target, search, position)
  return Buffer.concat([mac, Buffer.from(position)]).toString('base64url')
}

/** The position of a cursor of this search; throws `invalid_input` for any other text. */
export function readCursor(
  secret: AppSecret,
  target: SearchTarget,
  search: Ordered,
  { cursor, name }: CursorInput,
): Position {
  const bytes = Buffer.from(cursor, 'base64url')
  const position = bytes.subarray(MAC_BYTES).toString()
  const isOf = (key: Buffer) =>
    timingSafeEqual(macOf(key, target, search, position), bytes.subarray(0, MAC_BYTES))
  if (bytes.length > MAC_BYTES && readingKeys(secret, 'cursor').some(isOf))
    return JSON.parse(position) as Position
  const error = 'Is not a cursor of this search: repeat its entity, conditions and sort exactly'
  throw new AppError('invalid_input', `${name}: ${error}`, {
    validations: [{ field: name, error }],
  })
}

function macOf(key: Buffer, target: SearchTarget, ordered: Ordered, position: string): Buffer {
  const search = textOf(target, ordered)
  return createHmac('sha256', key)
    .update(`${search.length}\n${search}${position}`)
    .digest()
    .subarray(0, MAC_BYTES)
}

// The conditions of a request are one object.
const texts = new WeakMap<Ordered['where'], { sort: Ordered['sort']; text: string }>()

/** Made from the resolved search, so that cursors work in the URL form and the body form alike. */
function textOf(target: SearchTarget, { where, sort }: Ordered): string {
  const known = texts.get(where)
  if (known?.sort === sort) return known.text
  const parts = [
    JSON.stringify(target.name),
    listText(keyFields(target).map(fieldText)),
    listText(where.map(conditionText)),
    listText(sort.map(sortText)),
  ]
  const text = listText(parts)
  texts.set(where, { sort, text })
  return text
}

/** `JSON.stringify(condition, withoutHints)`; fields are written once. */
function conditionText(condition: Resolved): string {
  if (condition.type !== 'test') return JSON.stringify(condition, withoutHints)
  const { field, operator, values, orNull } = condition
  const written = JSON.stringify(values, withoutHints)
  return `{"type":"test","field":${fieldText(field)},"operator":"${operator}","values":${written},"orNull":${orNull}}`
}

const listText = (texts: readonly string[]) => `[${texts.join(',')}]`

// Most fields are one object as long as the definition is the same.
const fieldTexts = new WeakMap<FieldRef, string>()

function fieldText(field: FieldRef): string {
  const text = fieldTexts.get(field) ?? JSON.stringify(field, withoutHints)
  fieldTexts.set(field, text)
  return text
}

const sortText = ({ field, direction }: ResolvedSort): string =>
  `{"field":${fieldText(field)},"direction":"${direction}"}`

/** Hints don't affect the order; a relative time is the same condition although it means a later time. */
function withoutHints(this: object, name: string, value: unknown): unknown {
  if (name === 'indexed' || name === 'nullable') return undefined
  return name === 'text' && 'written' in this ? undefined : value
}
