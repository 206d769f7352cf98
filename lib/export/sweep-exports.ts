import 'server-only'
import { and, inArray, lte } from 'drizzle-orm'
import { now } from '@/lib/db/functions'
import { backgroundExports } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'

/** Deletes exports that have waited long enough, with their files. */
export async function sweepExports({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { expiresAt, status } = backgroundExports
  const isOver = inArray(status, ['READY', 'FAILED', 'CANCELLED'])
  await db.delete(backgroundExports).where(and(lte(expiresAt, now), isOver))
}
