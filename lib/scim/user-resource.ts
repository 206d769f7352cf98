import { sha256 } from '@/lib/crypto/sha256'
import { type JsonObject, stringifyExactly } from '@/lib/values/json'
import { ENTERPRISE, KEPT, USER } from './attributes'
import type { Resource } from './contract'
import type { UserView } from './user-view'

/** What a client may set of a user, as it is returned and changed. */
export const draftOf = ({ email, active, externalId, attributes }: UserView): JsonObject => ({
  ...(externalId === null ? {} : { externalId }),
  userName: email,
  active,
  ...ordered(attributes),
})

const ordered = (attributes: JsonObject): JsonObject =>
  Object.fromEntries(
    [...KEPT.map(({ name }) => name), ENTERPRISE].flatMap((name) => {
      const value = attributes[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The user as a SCIM resource; `base` is the address of `/api/scim/v2`. */
export function toUserResource(view: UserView, base: string): Resource {
  const draft = draftOf(view)
  const { id, groups, createdAt, updatedAt } = view
  const content = { id, ...draft, ...(groups.length > 0 ? { groups } : {}) }
  return {
    schemas: draft[ENTERPRISE] === undefined ? [USER] : [USER, ENTERPRISE],
    ...content,
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Users/${id}`,
      version: `W/"${sha256(stringifyExactly(content), 'base64url').slice(0, 22)}"`,
    },
  }
}

export const versionOf = ({ meta }: Resource): string => String(meta?.version ?? '')
