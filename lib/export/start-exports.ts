import { and, inArray, lte } from 'drizzle-orm'
import { jobByJob, startWork } from '@/lib/background-work'
import { backgroundExports } from '@/lib/db/schema'
import { now } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { runExport } from './jobs/run-export'
import { claimExport } from './jobs/store'

const PREPARING = {
  name: 'exports',
  run: jobByJob(claimExport, runExport),
  failed: 'exports were not prepared',
}

/** Prepares the exports that wait. */
export const startExports = (deps: Deps): Promise<void> => startWork(deps, PREPARING)

/** Deletes exports that have waited long enough, with their files. */
export async function sweepExports({ db }: Pick<Deps, 'db'>): Promise<void> {
  const { expiresAt, status } = backgroundExports
  const isOver = inArray(status, ['READY', 'FAILED', 'CANCELLED'])
  await db.delete(backgroundExports).where(and(lte(expiresAt, now), isOver))
}
