import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordAudit } from '@/lib/audit/record-audit'
import type { BackupStore } from '@/lib/backup-files/store'
import { auditLog } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import { momentOf, verifiedMark } from './file-names'

const mark = z.object({ verifiedAt: z.iso.datetime() })

/** Says beside the file `name` that it was restored on trial: who does so may have no connection to the server. */
export const markVerified = (store: BackupStore, name: string): Promise<void> =>
  store.writeText(
    verifiedMark(name),
    `${JSON.stringify({ verifiedAt: new Date().toISOString() })}\n`,
  )

/** Records in the audit log which files of the schedule, of `names` in `store`, were verified since it last did. */
export async function recordVerified(
  db: Db,
  store: BackupStore,
  names: readonly string[],
): Promise<void> {
  for (const name of names.filter((name) => momentOf(name) && names.includes(verifiedMark(name)))) {
    const details = readMark(await store.readText(verifiedMark(name)))
    if (details && !(await isRecorded(db, name, details.verifiedAt)))
      await recordAudit(
        db,
        { type: 'system' },
        { action: 'backup.verify', objectType: 'backup', objectId: name, details },
      )
  }
}

/** Null for what is no mark, or not yet a whole one. */
function readMark(text: string) {
  try {
    return mark.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function isRecorded(db: Db, name: string, verifiedAt: string): Promise<boolean> {
  const found = await rows<{ is: boolean }>(
    db,
    sql`select exists (select from ${auditLog} where ${auditLog.objectType} = 'backup'
          and ${auditLog.objectId} = ${name} and ${auditLog.action} = 'backup.verify'
          and ${auditLog.details} ->> 'verifiedAt' = ${verifiedAt}) as is`,
  )
  return one(found).is
}
