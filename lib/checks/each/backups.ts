import { sql } from 'drizzle-orm'
import { type LastBackups, readLastBackups } from '@/lib/audit/last-backups'
import { backupStore } from '@/lib/backup-files/store'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Env } from '@/lib/env'
import { type Check, fault, ok, type Verdict, warning } from './check'

/** Days since the last backup from which it is too old, of a schedule and of downloads; and since the last trial. */
const OLD_DAYS = { written: 2, downloaded: 7, verified: 35 }

/** Backups that the server knows of: those of the schedule, those downloaded, and the log that PostgreSQL archives. */
export const BACKUP_CHECKS: readonly Check[] = [
  {
    name: 'backup',
    title: 'Backup',
    look: async ({ db, settings }) => {
      const last = await readLastBackups(db)
      if (settings.BACKUP_SCHEDULE.length > 0) return ofSchedule(last, settings)
      const archived = await lastArchived(db)
      if (archived !== null && archived < 1)
        return ok('PostgreSQL has archived its log within the last day.')
      return ofDownloads(daysSince(last, 'downloaded'))
    },
  },
  {
    name: 'backup-verified',
    title: 'Backup, restored on trial',
    look: async ({ db, settings }) => {
      if (settings.BACKUP_SCHEDULE.length === 0) return ok('No backups are made on schedule.')
      const days = daysSince(await readLastBackups(db), 'verified')
      if (days !== null && days < OLD_DAYS.verified)
        return ok(`A backup was restored on trial ${daysAgo(days)}.`)
      return warning(
        days === null
          ? 'No backup of the schedule was restored on trial yet.'
          : `The last backup was restored on trial ${daysAgo(days)}.`,
        'Let npm run backup -- --verify run each week, on a machine that reads them.',
      )
    },
  },
]

async function ofSchedule(last: LastBackups, settings: Env): Promise<Verdict> {
  const problem = await backupStore(settings)?.problem()
  if (problem)
    return settings.BACKUP_S3_URL
      ? fault(
          `The bucket of backups can’t be read (${problem}).`,
          'See that BACKUP_S3_URL names it, with a key that may list, read, write and delete its objects.',
        )
      : fault(
          `The folder of backups can’t be written (${problem}).`,
          'Mount it, or give the server the right to write to BACKUP_DIR; then it makes the backup by itself.',
        )
  const days = daysSince(last, 'written')
  if (days !== null && days < OLD_DAYS.written)
    return ok(`The last backup was written ${daysAgo(days)}.`)
  return fault(
    days === null
      ? 'No backup was written yet.'
      : `The last backup was written ${daysAgo(days)}, though they are made every day.`,
    'The log says why, in lines of the job backup.',
  )
}

function ofDownloads(days: number | null): Verdict {
  if (days !== null && days < OLD_DAYS.downloaded)
    return ok(`The last backup was downloaded ${daysAgo(days)}.`)
  return warning(
    days === null
      ? 'No backup is known here.'
      : `The last backup that is known here was downloaded ${daysAgo(days)}.`,
    'Set BACKUP_SCHEDULE, or download one under Settings. Backups by commands or tools of PostgreSQL leave no trace here: then see that they are made, and restored on trial.',
  )
}

const daysSince = (last: LastBackups, what: keyof typeof OLD_DAYS): number | null => {
  const at = last[what]
  return at === null ? null : (last.now - at) / 86_400
}

const daysAgo = (days: number): string =>
  days < 1 ? 'within the last day' : `${Math.floor(days)} day${days < 2 ? '' : 's'} ago`

/** Days since PostgreSQL last archived its log; null when it does not. */
async function lastArchived(db: Db): Promise<number | null> {
  const found = await rows<{ days: number | null }>(
    db,
    sql`select (select extract(epoch from now() - last_archived_time)::float8 / 86400 from pg_stat_archiver
          where coalesce(current_setting('archive_mode', true), 'off') <> 'off') as days`,
  )
  return one(found).days
}
