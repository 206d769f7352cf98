import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AppSecret, deriveKey, readingKeys } from '@/lib/crypto/derive-key'
import { AppError } from '@/lib/errors'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields } from './order'
import type { Position, ResolvedSearch } from './resolved'
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

// The sort of a request is one object.
const texts = new WeakMap<Ordered['sort'], string>()

/** Made from the resolved search, so that cursors work in the URL form and the body form alike. */
function textOf(target: SearchTarget, { where, sort }: Ordered): string {
  const known = texts.get(sort)
  if (known !== undefined) return known
  const text = JSON.stringify([target.name, keyFields(target), where, sort], withoutHints)
  texts.set(sort, text)
  return text
}

/** Hints don't affect the order; a relative time is the same condition although it means a later time. */
function withoutHints(this: object, name: string, value: unknown): unknown {
  if (name === 'indexed' || name === 'nullable') return undefined
  return name === 'text' && 'written' in this ? undefined : value
}
