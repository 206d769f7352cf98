import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import type { EnforcedReference } from '../plan-references'
import { storedReferences } from '../stored-references'

/** Gives foreign keys that are still wanted, on renamed tables or columns, the names they have from now on. */
export async function renameReferences(
  tx: Db,
  desired: readonly EnforcedReference[],
): Promise<void> {
  for (const { table, reference } of await storedReferences(tx)) {
    const { name, ...link } = reference
    const same = desired.find(
      (one) =>
        isDeepStrictEqual(one.table, table) &&
        isDeepStrictEqual(one.reference, { ...link, name: one.reference.name }),
    )
    if (!same || same.reference.name === name) continue
    await tx.execute(
      sql`alter table ${tableSql(table)} rename constraint ${sql.identifier(name)} to ${sql.identifier(same.reference.name)}`,
    )
  }
}
