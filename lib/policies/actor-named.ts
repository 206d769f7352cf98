import { actorOfKey, actorOfUser } from '@/lib/auth/load-actor'
import { type Actor, GUEST_ROLE, isSameRole } from '@/lib/auth/rights'
import { selectRules } from '@/lib/auth/rules-for'
import { type Db, textArray } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { isUuid } from '@/lib/values/uuid'
import { findRole } from './list-roles'

export const NAMED_KINDS = ['role', 'user', 'key'] as const
/** Somebody whose rights are asked about; `id` of a role is its name. */
export type Named = { kind: (typeof NAMED_KINDS)[number]; id: string }

/** `role:<name>`, `user:<id>` or `key:<id>`, the last part as in a URL; null for another text. */
export function parseNamed(text: string): Named | null {
  const [, kind, id] = /^(role|user|key):(.+)$/s.exec(text) ?? []
  return kind && id ? { kind: kind as Named['kind'], id: decoded(id).trim() } : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Somebody as a caller, with the rights of this moment. A role by itself is nobody: it has neither an id nor a profile.
 * Throws `not_found`, also for users who are not active and for keys that open nothing any more.
 */
export async function actorNamed(db: Db, { kind, id }: Named): Promise<Actor> {
  const actor = await FIND[kind](db, id)
  if (actor) return actor
  const what = {
    role: 'role with this name',
    user: 'active user with this id',
    key: 'valid API key with this id',
  }
  throw new AppError('not_found', `There is no ${what[kind]}`)
}

const FIND: Record<Named['kind'], (db: Db, id: string) => Promise<Actor | null>> = {
  role: async (db, id) => {
    const isGuest = isSameRole(id, GUEST_ROLE)
    const name = isGuest ? GUEST_ROLE : (await findRole(db, id))?.name
    if (name === undefined) return null
    const policies = await selectRules(db, textArray([name]))
    const nobody = { id: '', userId: null, scopes: null, address: null } as const
    return { type: isGuest ? 'anonymous' : 'user', name, roles: [name], policies, ...nobody }
  },
  user: async (db, id) => (isUuid(id) ? actorOfUser(db, id, null) : null),
  key: async (db, id) => (isUuid(id) ? actorOfKey(db, id) : null),
}
