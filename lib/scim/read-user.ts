import { email } from '@/lib/users/contract'
import { isObject, type JsonObject } from '@/lib/values/json'
import { ENTERPRISE, ENTERPRISE_ATTRIBUTES, USER_SCHEMA } from './attributes'
import { scimError } from './scim-error'
import { readAttributes } from './values/read-values'

/** What is stored of a user, besides roles. */
export type UserDraft = {
  email: string
  /** Undefined: as it is. */
  active: boolean | undefined
  externalId: string | null
  attributes: JsonObject
}

const MAX_BYTES = 32 * 1024

/** A user as a client sent it. Throws `invalidValue` naming what is wrong. */
export function readUser(body: JsonObject): UserDraft {
  const { userName, active, externalId, ...rest } = readAttributes(USER_SCHEMA.attributes, body)
  const found = email.safeParse(userName)
  if (!found.success)
    throw scimError('invalidValue', 'userName must be the email address of the user')
  const extension = readExtension(body)
  const attributes = { ...rest, ...(extension ? { [ENTERPRISE]: extension } : {}) }
  if (JSON.stringify(attributes).length > MAX_BYTES)
    throw scimError('invalidValue', 'The attributes of the user are larger than 32 KiB')
  return {
    email: found.data,
    active: active as boolean | undefined,
    externalId: (externalId as string | undefined) ?? null,
    attributes,
  }
}

function readExtension(body: JsonObject): JsonObject | null {
  const key = Object.keys(body).find((name) => name.toLowerCase() === ENTERPRISE.toLowerCase())
  const sent = key === undefined ? undefined : body[key]
  if (!isObject(sent)) return null
  const read = readAttributes(ENTERPRISE_ATTRIBUTES, sent)
  return Object.keys(read).length > 0 ? read : null
}
