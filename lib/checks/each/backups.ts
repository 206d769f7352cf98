import { sql } from 'drizzle-orm'
import { auditLog } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import { type Check, ok, warning } from './check'

/** Days since the last backup from which it is too old. */
const OLD_DAYS = 7

/** Backups that the server knows of: those downloaded from it, and the log that PostgreSQL archives. */
export const BACKUP_CHECKS: readonly Check[] = [
  {
    name: 'backup',
    title: 'Backup',
    look: async ({ db }) => {
      const { downloaded, archived } = await lastBackups(db)
      if (archived !== null && archived < 1)
        return ok('PostgreSQL has archived its log within the last day.')
      if (downloaded !== null && downloaded < OLD_DAYS)
        return ok(`The last backup was downloaded ${daysAgo(downloaded)}.`)
      return warning(
        downloaded === null
          ? 'No backup is known here.'
          : `The last backup that is known here was downloaded ${daysAgo(downloaded)}.`,
        'Download one under Settings. Backups by commands or tools of PostgreSQL leave no trace here: then see that they are made, and restored on trial.',
      )
    },
  },
]

const daysAgo = (days: number): string =>
  days < 1 ? 'within the last day' : `${Math.floor(days)} day${days < 2 ? '' : 's'} ago`

type Ages = { downloaded: number | null; archived: number | null }

const lastBackups = async (db: Db): Promise<Ages> =>
  one(
    await rows<Ages>(
      db,
      sql`select
            (select extract(epoch from now() - max(${auditLog.at}))::float8 / 86400 from ${auditLog}
              where ${auditLog.action} = 'backup.download') as downloaded,
            (select extract(epoch from now() - last_archived_time)::float8 / 86400 from pg_stat_archiver
              where coalesce(current_setting('archive_mode', true), 'off') <> 'off') as archived`,
    ),
  )
