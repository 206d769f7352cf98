import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import { toFailure } from '@/lib/archives/read-content'
import { envelopeWarnings, readRows } from '@/lib/archives/read-rows'
import { RecordContents } from '@/lib/archives/record-contents'
import { around } from '@/lib/around'
import { turnGiver } from '@/lib/async/turns'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import { takesCopies } from '@/lib/db/copy-in'
import { isUnavailable } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { beginLoad } from '@/lib/rows/load-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { type FileReport, InstallClosedError, recordFiles, successReport } from '../file-report'
import { requireDataRights } from '../installer-rights'
import type { BeginCopies, DataContext, InstallContext } from '../points'
import { NotInParts } from '../write-records'
import { lockedEntity } from './data-entity'

/** What is written at once, and lost when an install is cancelled meanwhile. */
const MOST_FILES = 100
const MOST_BYTES = 2 * 1024 * 1024
/** Larger files are copied by themselves. */
const MOST_FILE_BYTES = 256 * 1024

export type Together = {
  /** Of the first files, which are done. */
  reports: FileReport[]
  /** How many files were tried: the others among them need the way of single files. */
  tried: number
}

/** Installs the files of a plan from `at` on. */
export type InstallTogether = (at: number) => Promise<Together>

/**
 * Returns a function that installs small data files of one entity by one COPY in one transaction of `db`, where the plugin has given
 * none of its records before this install, and records them. Nothing is written when the database refuses a record or anything
 * else needs the way of single files; the files from the first fault on are left. While the database stores one group, the next
 * is read.
 */
export function togetherInstaller(
  db: Db,
  files: readonly PlannedFile[],
  context: InstallContext,
): InstallTogether {
  const { dryRun, removed } = context
  const isPossible = takesCopies(db) && !dryRun && removed !== 'delete'
  const ahead = new GroupsAhead()
  return async (at) => {
    const hasFailed = context.failed.entity.size + context.failed.schema.size > 0
    const group = isPossible && !hasFailed ? groupOf(files, at) : []
    const tried = Math.max(1, group.length)
    if (group.length < 2) return { reports: [], tried }
    const read = (entity: Entity) => ahead.take(group, entity)
    const readNext = (entity: Entity) => ahead.begin(groupOf(files, at + group.length), entity)
    try {
      const work = { group, context, read, readNext }
      return { reports: await db.transaction((tx) => install(tx, work)), tried }
    } catch (error) {
      if (error instanceof InstallClosedError || isUnavailable(error)) throw error
      requireBudget(currentBudget())
      return { reports: [], tried }
    }
  }
}

/** The records of the next group, which are those of its files as long as the definition stays. */
class GroupsAhead {
  private ahead: { first: PlannedFile; entity: Entity; records: Promise<Records> } | null = null

  begin(group: readonly PlannedFile[], entity: Entity): void {
    const [first] = group
    if (!first || first.target?.toLowerCase() !== entity.name.toLowerCase()) return
    const records = readGroup(group, entity)
    records.catch(() => {}) // thrown when it is awaited
    this.ahead = { first, entity, records }
  }

  take(group: readonly PlannedFile[], entity: Entity): Promise<Records> {
    const { ahead } = this
    this.ahead = null
    const isSame = ahead?.first === group[0] && isDeepStrictEqual(ahead?.entity, entity)
    return ahead && isSame ? ahead.records : readGroup(group, entity)
  }
}

function groupOf(files: readonly PlannedFile[], at: number): readonly PlannedFile[] {
  const first = files[at]
  let [end, bytes] = [at, 0]
  for (const file of files.slice(at, at + MOST_FILES)) {
    bytes += file.bytes.length
    const isLike =
      file.kind === 'data' &&
      file.target === first?.target &&
      file.insertDuplicate === first?.insertDuplicate
    if (!isLike || file.failure || file.bytes.length >= MOST_FILE_BYTES || bytes > MOST_BYTES) break
    end++
  }
  return files.slice(at, end)
}

type Work = {
  group: readonly PlannedFile[]
  context: InstallContext
  read: (entity: Entity) => Promise<Records>
  readNext: (entity: Entity) => void
}

async function install(tx: Db, work: Work): Promise<FileReport[]> {
  const startedAt = performance.now()
  const { group } = work
  const [file] = group as [PlannedFile]
  const context = { ...work.context, file }
  const { waitMs, installId, history } = context
  await tx.execute(sql`select set_config('lock_timeout', ${String(waitMs)}::text, true),
    set_config('engine.install', ${String(installId ?? '')}::text, true)`)
  const entity = await lockedEntity(tx, file)
  if (!isPlain(entity)) throw new NotInParts({ isForRecords: false })
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(context, entity, { onDuplicate, removed: 'keep' })
  const records = await work.read(entity)
  // A group that fails loses the numbers that it drew, which those of another file may be.
  if (records.contents.size > 0 && givesNumbers(context.files, entity))
    throw new NotInParts({ isForRecords: false })
  await copyRecords(tx, entity, records, { ...context, readNext: () => work.readNext(entity) })
  const durationMs = Math.round((performance.now() - startedAt) / group.length)
  const reports = records.read.map((one) =>
    successReport(one.file, { counts: { ...NONE, created: one.count }, changes: [] }, durationMs),
  )
  if (history) await recordFiles(tx, history, reports)
  return reports
}

async function copyRecords(
  tx: Db,
  entity: Entity,
  { read, rows, contents }: Records,
  context: DataContext & { readNext: () => void },
): Promise<void> {
  const target = { tx, entity, group: read }
  const beginCopies = await around(context, 'beginCopies', target, async () => keepNothing)
  const load = await beginLoad(tx, entity, { actorName: context.actor.name, now: new Date() })
  const recorder = beginCopies(load.columns)
  for (const row of rows) load.add(row)
  await load.write((copied) => recorder.keep(copied, contents))
  context.readNext()
  const { created, newExtraFields } = await load.end()
  if (!(await recorder.end(created, newExtraFields))) throw new NotInParts({ isForRecords: false })
  await tx.execute(sql`set constraints all immediate`)
}

const keepNothing: BeginCopies = () => ({ keep: async () => {}, end: async () => true })

const NONE = { created: 0, updated: 0, unchanged: 0, failed: 0 }

/** Not of records that refer to others of the entity: those of a file are checked at its end. */
const isPlain = ({ name, isDistributed, properties }: Entity): boolean =>
  !isDistributed &&
  properties.every(({ rules }) => rules.reference?.entity.toLowerCase() !== name.toLowerCase())

const numbered = new WeakMap<readonly PlannedFile[], Map<string, boolean>>()

/** Whether some of the files of a plan may have a number for a key of the entity that the database counts. */
function givesNumbers(files: readonly PlannedFile[], { name, definition }: Entity): boolean {
  const known = numbered.get(files) ?? new Map<string, boolean>()
  numbered.set(files, known)
  const counted = definition.keys.filter(({ strategy }) => strategy === 'AutoIncrement')
  const texts = counted.map(({ key }) => JSON.stringify(key))
  const found =
    known.get(name) ??
    files.some(
      ({ target, bytes }) =>
        target?.toLowerCase() === name.toLowerCase() &&
        texts.some((text) =>
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text),
        ),
    )
  known.set(name, found)
  return found
}

type ReadFile = { file: PlannedFile; first: number; count: number }
type Records = { read: ReadFile[]; rows: PreparedRow[]; contents: RecordContents }

/** The records of the files before the first fault, numbered through all of them. */
async function readGroup(group: readonly PlannedFile[], entity: Entity): Promise<Records> {
  const records: Records = { read: [], rows: [], contents: new RecordContents() }
  const giveTurn = turnGiver()
  for (const file of group) {
    const turn = giveTurn()
    if (turn) await turn
    const found = await readFile(file, entity)
    if (!found) break
    const first = records.rows.length
    for (const row of found.rows) records.rows.push({ ...row, index: first + row.index })
    records.contents.addAll(found.contents, first)
    const warnings = [...file.warnings, ...(await envelopeWarnings(file, entity))]
    records.read.push({ file: { ...file, warnings }, first, count: found.rows.length })
  }
  return records
}

/** Null for a file with a fault. */
async function readFile(file: PlannedFile, entity: Entity) {
  const reader = readRows(file, entity)
  const rows: PreparedRow[] = []
  try {
    for await (const _ of reader.read((row) => rows.push(row)));
  } catch (error) {
    if (!toFailure(error)) throw error
    return null
  }
  return reader.faultCount() > 0 ? null : { rows, contents: reader.takeContents() }
}
