import { type Column, eq, type SQL } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import type { Actor } from './rights'

/** Whose an export or import is: a person's, also by their keys, or that of a key with roles of its own. One is null. */
export type Owner = { ownerId: string | null; keyId: string | null }

/** Throws `unauthenticated` for a caller without a credential, to whom nothing belongs. */
export function ownerOf({ type, id, userId }: Actor): Owner {
  if (userId !== null) return { ownerId: userId, keyId: null }
  if (type === 'api_key') return { ownerId: null, keyId: id }
  throw new AppError('unauthenticated', 'Sign in, or send an API key')
}

export function isOwnedBy({ ownerId, keyId }: Owner, actor: Actor): boolean {
  const owner = ownerOf(actor)
  return owner.keyId === null ? ownerId === owner.ownerId : keyId === owner.keyId
}

/** Rows of a table with these columns that are the caller's. */
export function ownedBy(columns: { ownerId: Column; keyId: Column }, actor: Actor): SQL {
  const { ownerId, keyId } = ownerOf(actor)
  return keyId === null ? eq(columns.ownerId, ownerId) : eq(columns.keyId, keyId)
}
