import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '@/lib/crypto/derive-key'
import { AppError } from '@/lib/errors'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields } from './order'
import type { Place, ResolvedSearch } from './resolved'
import type { CursorInput } from './search-input'

const MAC_BYTES = 16

type Ordered = Pick<ResolvedSearch, 'where' | 'sort'>

/**
 * An opaque text for a position (`Place` as JSON text) in a search result. It is valid for this entity,
 * these conditions and this sort only, on every instance, and does not expire.
 */
export function writeCursor(
  secret: string,
  target: SearchTarget,
  search: Ordered,
  place: string,
): string {
  const mac = macOf(secret, target, search, place)
  return Buffer.concat([mac, Buffer.from(place)]).toString('base64url')
}

/** The position of a cursor of this search; throws `invalid_input` for any other text. */
export function readCursor(
  secret: string,
  target: SearchTarget,
  search: Ordered,
  { cursor, name }: CursorInput,
): Place {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = bytes.subarray(MAC_BYTES).toString()
  const mac = macOf(secret, target, search, place)
  if (bytes.length > MAC_BYTES && timingSafeEqual(mac, bytes.subarray(0, MAC_BYTES)))
    return JSON.parse(place) as Place
  const error = 'Is no cursor of this search: repeat its entity, conditions and sort exactly'
  throw new AppError('invalid_input', `${name}: ${error}`, {
    validations: [{ field: name, error }],
  })
}

/** Made from the resolved search, so that cursors work in the URL form and the body form alike. */
function macOf(secret: string, target: SearchTarget, { where, sort }: Ordered, place: string) {
  const search = JSON.stringify([target.name, keyFields(target), where, sort], withoutHints)
  return createHmac('sha256', deriveKey(secret, 'cursor'))
    .update(`${search.length}\n${search}${place}`)
    .digest()
    .subarray(0, MAC_BYTES)
}

// They don't affect the order.
const withoutHints = (name: string, value: unknown) =>
  name === 'indexed' || name === 'nullable' ? undefined : value
