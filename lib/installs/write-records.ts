import { sql } from 'drizzle-orm'
import { failureOf, type Verdict } from '@/lib/archives/plugin-file'
import { around } from '@/lib/around'
import type { DeletedCounts, RecordConflict, RecordCounts, RemovedCounts } from '@/lib/db/schema'
import { type Db, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { withoutUnchanged } from '@/lib/registry/may-read'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { type ConflictKind, noFaults } from '@/lib/rows/record-faults'
import { type WriteResult, writeRecords } from '@/lib/rows/write-records'
import { NO_CONFLICTS } from './file-report'
import { type Installer, mayReveal } from './installer-rights'
import type { CheckedRecords, DataContext, RecordTarget } from './points'

/** What writing the records of a file did. */
export type Written = {
  counts: RecordCounts
  conflicts: RecordConflict[]
  conflictCount: number
  removed: RemovedCounts
  deleted: DeletedCounts
}

export type RecordWriter = {
  /** Writes records of which none has the key of an earlier part's. */
  add: (part: CheckedRecords) => Promise<void>
  /** Settles what depends on all records. */
  end: () => Promise<Written>
}

/**
 * What writes the records of a file, in the caller's transaction. Both functions throw `FileFailure` about records
 * that can't be written: then the transaction has to be rolled back.
 */
export const recordWriter = (context: DataContext, target: RecordTarget): Promise<RecordWriter> =>
  around(context, 'beginWriting', target, async (used) => plainWriter(used, target))

/** By the rules of the entity alone: an `Upsert` replaces what is stored, whoever wrote it. */
function plainWriter(installer: Installer, target: RecordTarget): RecordWriter {
  const { tx, entity } = target
  const counts: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const names: string[] = []
  return {
    async add({ rows }) {
      const written = await writeRows(
        { ...target, entity: withNames(entity, names) },
        rows,
        installer.actor.name,
      )
      for (const kind of ['created', 'updated', 'unchanged'] as const)
        counts[kind] += written.counts[kind]
      names.push(...written.newExtraFields)
    },
    async end() {
      if (target.isPart) await tx.execute(sql`set constraints all immediate`)
      const isVisible = target.onDuplicate !== 'Upsert' || mayReveal(installer, entity.name)
      return { counts: isVisible ? counts : withoutUnchanged(counts), ...NO_CONFLICTS }
    },
  }
}

/** With the names of undeclared fields that earlier parts have brought. */
export const withNames = (entity: Entity, added: readonly string[]): Entity =>
  added.length === 0 ? entity : { ...entity, extraFields: [...entity.extraFields, ...added] }

/** Writes rows as the file and its entity say. Throws `FileFailure` about those that can't be. */
export async function writeRows(
  { tx, entity, onDuplicate, isPart }: RecordTarget,
  rows: PreparedRow[],
  actorName: string,
): Promise<WriteResult> {
  const { updateStrategy } = entity.definition
  const written = await writeRecords(tx, entity, rows, {
    ...{ onDuplicate, updateStrategy, actorName, isPart },
  })
  if (!written.kind) return written
  throw failureOf(VERDICT[written.kind], {
    ...(written.faults ?? noFaults()),
    details: written.conflicts,
  })
}

export const VERDICT: Record<ConflictKind, Verdict> = {
  duplicate: 'Conflict Issue!',
  unique: 'Conflict Issue!',
  reference: 'Missing dependency',
  refused: 'Invalid record',
}

export async function isEmpty(tx: Db, table: TableName): Promise<boolean> {
  const found = await rowsOf(tx, sql`select 1 from ${tableSql(table)} limit 1`)
  return found.length === 0
}

/**
 * Thrown to roll back: the file has to be prepared as a whole. `isForRecords`: because of its records, which no way
 * in parts can write.
 */
export class NotInParts extends Error {
  readonly isForRecords: boolean

  constructor({ isForRecords }: { isForRecords: boolean }) {
    super('The file has to be prepared as a whole')
    this.isForRecords = isForRecords
  }
}
