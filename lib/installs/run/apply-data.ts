import { readRows } from '@/lib/archives/read-rows'
import { around } from '@/lib/around'
import type { Db } from '@/lib/db/sql'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import { type PreparedRow, packer } from '@/lib/rows/prepared-row'
import { requireDataRights } from '../installer-rights'
import type { CheckedRecords, DataContext } from '../points'
import { recordWriter, type Written } from '../write-records'
import { entityNamed, lockForWriting } from './data-entity'

/** The records of a data file, checked against the entity's definition at that time. */
type PreparedData = CheckedRecords & { entity: Entity; onDuplicate: InsertDuplicate }

/**
 * Reads and checks a data file without writing, if the installer may write its records. Throws errors
 * that `toFailure` understands.
 */
export async function prepareData(db: Db, context: DataContext): Promise<PreparedData> {
  const { file, removed = 'keep' } = context
  const entity = await entityNamed(db, file.target ?? '')
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(context, entity, { onDuplicate, removed })
  const reader = readRows(file, entity)
  const pack = packer(entity)
  const rows: PreparedRow[] = []
  for await (const _ of reader.read((row) => rows.push(pack(row)))) {
    // For a file that is written all or none, records are only counted after the first fault.
    if (reader.faultCount() > 0) rows.length = 0
  }
  if (reader.faultCount() > 0) throw reader.failure()
  const checked = { rows, contents: reader.takeContents() }
  const records = await around(
    context,
    'checkRecords',
    { ...checked, db, entity },
    async () => checked,
  )
  return { entity, onDuplicate, ...records }
}

/**
 * Writes prepared records, all or none by the caller's transaction. When the entity has changed since
 * they were prepared, they are prepared again. Throws errors that `toFailure` understands.
 */
export async function applyData(
  tx: Db,
  prepared: PreparedData,
  context: DataContext,
): Promise<Written> {
  // From here on the table can't be changed, so the definition read next is the one it has.
  await lockForWriting(tx, prepared.entity)
  const current = await entityNamed(tx, context.file.target ?? '')
  const data = isSame(current, prepared.entity) ? prepared : await prepareData(tx, context)
  const { entity, onDuplicate } = data
  const writer = await recordWriter(context, { tx, entity, onDuplicate, isPart: false })
  await writer.add(data)
  return writer.end()
}

const shapeOf = ({ definition, properties, open }: Entity) =>
  JSON.stringify([definition, properties, open])
const isSame = (a: Entity, b: Entity) => shapeOf(a) === shapeOf(b)
