import { asc, eq } from 'drizzle-orm'
import { type PublisherRow, publishers } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { Publisher } from './contract'

/** All, by name: there are at most 100. */
export const selectPublishers = (db: Db): Promise<PublisherRow[]> =>
  db
    .select()
    .from(publishers)
    .orderBy(asc(lower(publishers.name)))

export async function publisherOfKey(db: Db, keyId: string): Promise<PublisherRow | null> {
  const [found] = await db.select().from(publishers).where(eq(publishers.keyId, keyId))
  return found ?? null
}

export const isExpired = ({ expiresAt }: Pick<PublisherRow, 'expiresAt'>): boolean =>
  expiresAt !== null && expiresAt.getTime() <= Date.now()

export const toPublisher = (row: PublisherRow): Publisher => ({
  id: row.id,
  name: row.name,
  keyId: row.keyId,
  publicKey: row.publicKey,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  expired: isExpired(row),
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
})
