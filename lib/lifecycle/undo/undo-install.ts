import { eq, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { installs, plugins } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { EMPTY_REPORT, type FileReport } from '@/lib/installs/file-report'
import { isAnyJsonKind } from '@/lib/kinds/kind'
import { isRecordError } from '@/lib/rows/load-records'
import { stageRecords, writeStaged } from '../base/stage-records'
import { emptyFilled } from '../changes/record-converted'
import { recordedDefinitions, restoreFieldNames } from '../changes/record-definitions'
import { shortenBases } from '../changes/record-generated'
import { relaxDefinitions, undoDefinitions } from './undo-definitions'
import {
  recordedEntities,
  rememberFormer,
  restoreRecords,
  undoneEntities,
  undoRecords,
} from './undo-records'
import { requireNoneLeftOut } from './undo-returned'
import { recordLeft, referringFirst, returningFirst, type Undo } from './undo-source'
import { restoreChanged } from './undo-sql'

/**
 * Records first, as definitions usually came first; where records or older rules contradict that, between
 * definitions that accept both.
 */
export async function undoAll(tx: Db, undo: Undo, actor: Actor): Promise<FileReport[]> {
  try {
    return await tx.transaction((inner) => undoInOrder(inner as unknown as Db, undo, actor, true))
  } catch (error) {
    const isRule = error instanceof DefinitionError || isRecordError(error)
    if (!isRule) throw error
    return tx.transaction((inner) => undoInOrder(inner as unknown as Db, undo, actor, false))
  }
}

async function undoInOrder(
  tx: Db,
  undo: Undo,
  actor: Actor,
  isStrict: boolean,
): Promise<FileReport[]> {
  const relaxed = isStrict ? null : await relaxDefinitions(tx, undo)
  const reports = new Map<string, FileReport>()
  const fields = new Map<string, string>()
  const entities = await referringFirst(tx, await undoneEntities(tx, undo))
  for (const entity of entities) {
    reports.set(entity.name, await undoRecords(tx, entity, undo, actor))
    fields.set(entity.name, nameList(entity))
  }
  const first = await returningFirst(tx, undo, entities)
  for (const entity of first) await restoreDeleted(tx, entity, undo, reports.get(entity.name))
  const returned = new Set(first.map(({ name }) => name))
  await tx.execute(sql`set constraints all immediate`)
  const { changes, finish } = await undoDefinitions(tx, undo, relaxed)
  await tx.execute(sql`set constraints all deferred`)
  await restoreAll(tx, undo, { reports, fields, returned }, actor)
  await tx.execute(sql`set constraints all immediate`)
  await finish()
  for (const entity of await undoneEntities(tx, undo)) {
    const staged = await stageRecords(tx, entity)
    for (const statement of emptyFilled(staged, undo.installId)) await tx.execute(statement)
    await tx.execute(recordLeft(staged, undo))
    await writeStaged(tx, entity, staged)
    await tx.execute(shortenBases(entity, undo))
  }
  for (const name of await recordedEntities(tx, undo)) await rememberFormer(tx, name, undo)
  await restoreFieldNames(tx, undo)
  await settleVersion(tx, undo)
  return [definitionReport(changes), ...[...reports.values()].sort(byPath)]
}

const byPath = (a: FileReport, b: FileReport) => (a.path < b.path ? -1 : 1)

/** By the name of the entity at that time; `fields`: those that it had then; `returned`: whether its deleted records are back. */
type Undone = {
  reports: Map<string, FileReport>
  fields: ReadonlyMap<string, string>
  returned: ReadonlySet<string>
}

/** The names of its fields, and which of them hold JSON. */
const nameList = ({ properties }: Entity): string =>
  JSON.stringify(properties.map(({ name, kind }) => `${name} ${isAnyJsonKind(kind)}`).sort())

/** Creates deleted records again, and restores what could not be before: entities and fields, declared or not. */
async function restoreAll(
  tx: Db,
  undo: Undo,
  { reports, fields, returned }: Undone,
  actor: Actor,
): Promise<void> {
  const noted = new Set(await recordedEntities(tx, undo))
  const formerNames = await renamedBy(tx, undo)
  const entities = await referringFirst(tx, await undoneEntities(tx, undo))
  for (const entity of entities) {
    const { name } = entity
    const key = formerNames.get(name) ?? name
    if (!noted.has(name)) reports.set(key, await undoRecords(tx, entity, undo, actor))
    else if (nameList(entity) !== fields.get(key)) await restoreAgain(tx, entity, undo)
  }
  for (const entity of entities.toReversed()) {
    const { name } = entity
    const report = reports.get(formerNames.get(name) ?? name) ?? reports.get(name)
    if (!returned.has(name)) await restoreDeleted(tx, entity, undo, report)
  }
}

/** Creates deleted records again, or puts them back in place of others, and adds that to the report. */
async function restoreDeleted(
  tx: Db,
  entity: Entity,
  undo: Undo,
  report: FileReport | undefined,
): Promise<void> {
  const { created, updated } = await restoreRecords(tx, entity, undo)
  await requireNoneLeftOut(tx, entity, undo)
  if (!report) return
  const { records } = report
  report.records = { ...records, created, updated: records.updated + updated }
  if (updated > 0) report.status = 'updated'
  else if (created > 0 && report.status === 'unchanged') report.status = 'created'
}

async function restoreAgain(tx: Db, entity: Entity, undo: Undo): Promise<void> {
  const staged = await stageRecords(tx, entity)
  await tx.execute(restoreChanged(staged, undo))
  await writeStaged(tx, entity, staged)
}

/** Present name → the name before the undo, of entities that it renamed. */
async function renamedBy(tx: Db, { as }: Undo): Promise<Map<string, string>> {
  const changes = (await recordedDefinitions(tx, as)).filter(({ kind }) => kind === 'entity')
  return new Map(changes.map(({ name, before }) => [name, String(before?.name ?? name)]))
}

/** The history shows the version that is there after the rollback. */
async function settleVersion(tx: Db, { pluginId, as }: Undo): Promise<void> {
  const [plugin] = await tx.select().from(plugins).where(eq(plugins.id, pluginId))
  await tx
    .update(installs)
    .set({ version: plugin?.version ?? null })
    .where(eq(installs.id, as))
}

const definitionReport = (changes: string[]): FileReport => ({
  ...EMPTY_REPORT,
  path: 'engineplugin.json',
  status: changes.length > 0 ? 'updated' : 'unchanged',
  changes,
})
