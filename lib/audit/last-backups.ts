import { sql } from 'drizzle-orm'
import { auditLog } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'

/** When backups were last downloaded, written on schedule and verified, in seconds since 1970; null: never. `now` is that of the database. */
export type LastBackups = {
  now: number
  downloaded: number | null
  written: number | null
  verified: number | null
}

const seconds = (action: string) =>
  sql`extract(epoch from max(${auditLog.at}) filter (where ${auditLog.action} = ${action}))::float8`

export const readLastBackups = async (db: Db): Promise<LastBackups> =>
  one(
    await rows<LastBackups>(
      db,
      sql`select extract(epoch from now())::float8 as now,
            ${seconds('backup.download')} as downloaded,
            ${seconds('backup.write')} as written,
            ${seconds('backup.verify')} as verified
          from ${auditLog} where ${auditLog.objectType} = 'backup'`,
    ),
  )
