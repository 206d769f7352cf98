import { z } from 'zod'
import { GUEST_ROLE, isSameRole } from '@/lib/auth/rights'
import { canonicalNumber } from '@/lib/values/canonical-number'
import {
  isObject,
  type Json,
  type JsonObject,
  literalOf,
  stringifyExactly,
} from '@/lib/values/json'
import { instant, jsonObject, limitedList, trimmedText } from '@/lib/values/wire-types'
import { wordsFor } from '@/lib/values/words-for'
import { USER_STATUSES } from './status'

const MAX_PROFILE_BYTES = 64 * 1024
const MAX_PROFILE_DEPTH = 200
const MAX_NUMBER_DIGITS = 1000
const UNSTORABLE = 'Holds a character that cannot be stored'
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

/** Trimmed; look-ups are case-insensitive. */
export const email = z
  .string({ error: wordsFor('The email is missing', 'The email must be a text') })
  .trim()
  .max(254, 'The email is too long')
  .pipe(z.email('This is not an email address'))

// Code points after the normalisation that is hashed (NIST 800-63B 5.1.1.2).
const length = (text: string) => [...text.normalize('NFKC')].length

/** A character is typed as four code units at most. Checked first: normalising takes the square of the marks in a row. */
const MAX_TYPED = 4 * PASSWORD_MAX
const TOO_LONG = `Use at most ${PASSWORD_MAX} characters`

/** Length only; the server refuses commonly used ones as well (`strongPassword`). */
export const password = z
  .string({ error: wordsFor('The password is missing', 'The password must be a text') })
  .refine((text) => text.length <= MAX_TYPED, { message: TOO_LONG, abort: true })
  .refine((text) => length(text) >= PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters`)
  .refine((text) => length(text) <= PASSWORD_MAX, TOO_LONG)
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), UNSTORABLE)

const role = trimmedText(
  { missing: 'A role needs a name', max: 64, tooLong: 'A role has at most 64 characters' },
  'A role must be a text',
).refine((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), UNSTORABLE)

/** One that a user or key may have. */
const assignable = role.refine(
  (name) => !isSameRole(name, GUEST_ROLE),
  `${GUEST_ROLE} is what callers without a credential have; it is given to nobody`,
)

const rolesFrom = (min: number, each = role) =>
  z
    .array(each, { error: wordsFor('The roles are missing', 'The roles must be a list of names') })
    .min(min, 'Give at least one role')
    .refine(
      (names) => new Set(names.map((name) => name.toLowerCase())).size === names.length,
      'A role is given more than once',
    )

/** Any names; they are case-insensitive. `requireClearRoles` checks those that are new. */
export const roles = limitedList(rolesFrom(1, assignable), 32, 'A user has at most 32 roles')
export const rolesOfKey = limitedList(rolesFrom(1, assignable), 32, 'A key has at most 32 roles')

/** The same of a setting, which may name none. */
export const namedRoles = limitedList(rolesFrom(0), 100, 'At most 100 roles can be named')

/** Any JSON object of at most 64 KiB; returned as it was sent, numbers with all their digits. */
export const profile = z
  .custom<JsonObject>(isObject, 'The profile must be a JSON object')
  .refine((value) => depthOf(value) <= MAX_PROFILE_DEPTH, {
    message: `The profile is nested more than ${MAX_PROFILE_DEPTH} deep`,
    abort: true,
  })
  .refine((value) => numbersIn(value).every(isStorableNumber), {
    message: `A number in the profile has more than ${MAX_NUMBER_DIGITS} digits`,
    abort: true,
  })
  .refine((value) => bytesOf(value) <= MAX_PROFILE_BYTES, 'The profile is larger than 64 KiB')
  .refine((value) => isStorable(stringifyExactly(value)), UNSTORABLE)
  .meta({ type: 'object', description: 'Any JSON object of at most 64 KiB' })

export const userStatus = z.enum(USER_STATUSES)

/** Any text: one that is no user's id is `not_found`. */
/** In lower case, as the database and the audit log have ids. */
export const userParams = z.strictObject({ userId: z.string().toLowerCase() })

/** The response of `POST /api/users/init`. */
export const initialUser = z.object({
  userId: z.uuid(),
  email: z.string(),
  roles: z.array(z.string()),
  profile: jsonObject,
})
export type InitialUser = z.infer<typeof initialUser>

export const user = initialUser
  .extend({
    status: userStatus,
    mustChangePassword: z
      .boolean()
      .meta({ description: 'Signs in with a temporary password, and must change it first' }),
    activatedAt: instant.nullable(),
    lastSignInAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
    managed: z
      .object({
        by: z.literal('SCIM'),
        profile: z.array(z.string()).meta({ description: 'Keys of the profile' }),
        roles: z.array(z.string()).meta({ description: 'Given and taken by groups alone' }),
      })
      .optional()
      .meta({
        description:
          'What the identity provider decides, besides email and status; of one user, where it manages the account',
      }),
  })
  .meta({ id: 'Engine.User' })
export type User = z.infer<typeof user>

/** The user of the link, with their new status. */
export const linkedUser = user.pick({ userId: true, email: true, status: true })

// JSON text escapes U+0000 and halves of surrogate pairs, which PostgreSQL refuses; an even number
// of backslashes before the `u` is only text that looks so.
const isStorable = (json: string) => !/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/.test(json)

/** As stored, without exponents: otherwise short numbers could make a large profile. */
const bytesOf = (value: JsonObject) =>
  new TextEncoder().encode(JSON.stringify(value, (_, item: Json) => digitsOf(item) ?? item)).length

const digitsOf = (value: Json): string | null => {
  const literal = literalOf(value)
  return literal === null ? null : canonicalNumber(literal)
}

/** The marked numbers; only they may be long. */
function numbersIn(value: Json): string[] {
  const found: string[] = []
  JSON.stringify(value, (_, item: Json) => {
    const literal = literalOf(item)
    if (literal !== null) found.push(literal)
    return item
  })
  return found
}

function isStorableNumber(literal: string): boolean {
  const exponent = Math.abs(Number(/[eE](.*)/.exec(literal)?.[1] ?? 0))
  if (exponent > MAX_NUMBER_DIGITS) return false
  return canonicalNumber(literal).replace(/\D/g, '').length <= MAX_NUMBER_DIGITS
}

/**
 * How deep objects and arrays nest; iterative, since recursion would overflow the stack before the
 * limit.
 */
function depthOf(value: unknown): number {
  let layer = [value]
  for (let depth = 0; ; depth++) {
    layer = layer.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    )
    if (layer.length === 0 || depth > MAX_PROFILE_DEPTH) return depth
  }
}
