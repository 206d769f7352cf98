import type { PlannedFile } from '@/lib/archives/plugin-file'
import { readRows } from '@/lib/archives/read-rows'
import type { Db } from '@/lib/db/types'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import { type Choices, originOf } from '@/lib/plugins/lifecycle/origin'
import { type Recalled, recallKeys } from '@/lib/plugins/lifecycle/recall-keys'
import { type PreparedRow, packer } from '@/lib/rows/prepared-row'
import { entityNamed, lockForWriting } from './data-entity'
import { type Installer, requireDataRights } from './installer-rights'
import { recordWriter, type Written } from './write-merged'

/** Who installs, and what the request says about records that were changed here. */
export type DataInstaller = Installer & Choices & { installId: number | null }

/** The records of a data file, checked against the entity's definition at that time. */
type PreparedData = Recalled & { entity: Entity; onDuplicate: InsertDuplicate }

/**
 * Reads and checks a data file without writing, if the installer may write its records. Throws errors
 * that `toFailure` understands.
 */
export async function prepareData(
  db: Db,
  file: PlannedFile,
  installer: DataInstaller,
): Promise<PreparedData> {
  const entity = await entityNamed(db, file.target ?? '')
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(installer, entity, { onDuplicate, removed: originOf(file, installer).removed })
  const reader = readRows(file, entity)
  const pack = packer(entity)
  const rows: PreparedRow[] = []
  for await (const _ of reader.read((row) => rows.push(pack(row)))) {
    // For a file that is written all or none, records are only counted after the first fault.
    if (reader.faults().faultCount > 0) rows.length = 0
  }
  if (reader.faults().faultCount > 0) throw reader.failure()
  const contents = reader.takeContents()
  const recalled = await recallKeys(db, originOf(file, installer), entity, rows, contents)
  return { entity, onDuplicate, ...recalled }
}

/**
 * Writes prepared records, all or none by the caller's transaction. When the entity has changed since
 * they were prepared, they are prepared again. Throws errors that `toFailure` understands.
 */
export async function applyData(
  tx: Db,
  file: PlannedFile,
  prepared: PreparedData,
  installer: DataInstaller,
): Promise<Written> {
  // From here on the table can't be changed, so the definition read next is the one it has.
  await lockForWriting(tx, prepared.entity)
  const current = await entityNamed(tx, file.target ?? '')
  const data = isSame(current, prepared.entity) ? prepared : await prepareData(tx, file, installer)
  const target = { ...data, origin: originOf(file, installer) }
  const writer = await recordWriter(tx, target, installer, { isPart: false })
  await writer.add(data)
  return writer.end()
}

const shapeOf = ({ definition, properties, open }: Entity) =>
  JSON.stringify([definition, properties, open])
const isSame = (a: Entity, b: Entity) => shapeOf(a) === shapeOf(b)
