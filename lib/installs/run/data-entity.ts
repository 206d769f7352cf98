import { sql } from 'drizzle-orm'
import { FileFailure, type PlannedFile } from '@/lib/archives/plugin-file'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { entityWithListNames } from '@/lib/search/list-names'
import { relationExists } from '@/lib/tables/stored-tables'
import { NotInParts } from '../write-records'

/** The entity of a data file as it is installed now; throws `FileFailure` when it is not. */
export async function entityNamed(db: Db, name: string): Promise<Entity> {
  const found = await entityWithListNames(db, name)
  if (found) return found
  throw new FileFailure('Missing dependency', [
    {
      key: name,
      message: `The entity "${name}" is not installed; its definition failed or is missing`,
    },
  ])
}

/**
 * Locks an entity's table as statements that write do: it can't be changed until the transaction ends. On the nodes of a
 * cluster, where records can't be locked one by one, nobody else can write to it. Returns false for a table
 * that no longer exists: it belongs to an old definition.
 */
export async function lockForWriting(tx: Db, { table, isDistributed }: Entity): Promise<boolean> {
  if (!(await relationExists(tx, table))) return false
  const mode = isDistributed ? sql`share row exclusive` : sql`row exclusive`
  await tx.execute(sql`lock table ${tableSql(table)} in ${mode} mode`)
  return true
}

/**
 * The entity of a data file, with its table locked as for writing: locked before it is read, so that the table is what
 * the definition says. Throws `NotInParts` when it was moved meanwhile or has no table, and `FileFailure` when it is not installed.
 */
export async function lockedEntity(tx: Db, file: PlannedFile): Promise<Entity> {
  const name = file.target ?? ''
  const before = await entityNamed(tx, name)
  const isLocked = await lockForWriting(tx, before)
  const entity = await entityNamed(tx, name)
  const isSame = isSameTable(entity, before)
  if (!isLocked || !isSame) throw new NotInParts({ isForRecords: false })
  return entity
}

const isSameTable = (one: Entity, other: Entity) =>
  one.table.schema === other.table.schema &&
  one.table.name === other.table.name &&
  one.isDistributed === other.isDistributed
