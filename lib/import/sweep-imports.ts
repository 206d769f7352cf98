import { and, inArray, isNull, lte, notInArray } from 'drizzle-orm'
import { imports } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { runningHere } from './jobs/running'
import { afterDays } from './jobs/store'

/** Ends imports whose process has died, of which nothing is stored, and deletes those that are long over. */
export async function sweepImports({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const { id, status, dueAt, expiresAt, completedAt } = imports
  const isOpen = inArray(status, ['WAITING', 'RUNNING'])
  const closed = await db
    .update(imports)
    .set({ status: 'FAILED', error: DIED, holder: null, completedAt: now, expiresAt: afterDays })
    .where(and(isOpen, lte(dueAt, now), notInArray(id, [...runningHere(), NONE])))
    .returning({ id })
  if (closed.length > 0)
    log.warn({ imports: closed.length }, 'closed imports that a dead process left')
  await db
    .delete(imports)
    .where(and(lte(expiresAt, now), isNull(imports.holder), lte(completedAt, now)))
}

const NONE = '00000000-0000-0000-0000-000000000000'
const DIED = 'The server that ran the import ended; nothing is stored. Import the file again'
