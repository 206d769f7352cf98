import { isDeepStrictEqual } from 'node:util'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import { around } from '@/lib/around'
import type { CopyOut } from '@/lib/db/copy-out'
import type { RecordConflict } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import type { Decisions } from '@/lib/installs/contract'
import { decidedKeys, refuseUnmet } from '@/lib/installs/decisions'
import { FileKeys } from '@/lib/installs/file-keys'
import type { FileReport } from '@/lib/installs/file-report'
import { mayReveal } from '@/lib/installs/installer-rights'
import type {
  DataContext,
  DryRun,
  FileRecords,
  InstallContext,
  TouchedRecords,
} from '@/lib/installs/points'
import { keyReader } from '@/lib/rows/prepared-row'
import type { RecordsPage } from '../install-request'
import { compareRecords, type RecordChanges, rowRecorder } from './compare-records'
import { rivalCopier } from './copy-rivals'
import { carryMissing } from './copy-table'
import type { Shadowed } from './open-shadow'

type Trial = {
  copyOut: CopyOut
  context: InstallContext
  found: ConflictsFound
  page: RecordsPage | undefined
  /** The copied entities, known once the dry run has begun. */
  shadowed: () => ReadonlyMap<string, Shadowed>
}

/**
 * The additional work of a dry run for each data file: what its records may conflict with is copied first.
 * `changes`: of the records of the page, null until then.
 */
export function recordTrial(trial: Trial): DryRun & { changes: () => RecordChanges | null } {
  const { context, found, page } = trial
  let compared: Entity | null = null
  let changes: RecordChanges | null = null

  async function beforeRecords(tx: Db, records: FileRecords, using: DataContext): Promise<void> {
    const { entity } = records
    const { file } = using
    found.begin(file)
    if (context.decisions?.[entity.name]) requireReading(context, entity.name)
    const isPage = page?.file === file.path
    if (isPage) {
      // Of an attempt that was given up.
      changes = null
      compared = page.detail === 'records' ? entity : null
      requireReading(context, entity.name)
    }
    await readBefore(tx, trial, records, using, isPage && compared !== null)
  }

  async function afterRecords(tx: Db, file: PlannedFile): Promise<void> {
    if (page?.file === file.path && compared) changes = await compareRecords(tx, compared, page)
  }

  return { beforeRecords, afterRecords, changes: () => changes }
}

/** Reads the records once for what has to be copied and kept before they are written, if anything. */
async function readBefore(
  tx: Db,
  { copyOut, shadowed }: Trial,
  records: FileRecords,
  context: DataContext,
  isKept: boolean,
): Promise<void> {
  const { entity, parts } = records
  const all = shadowed()
  const named = all.get(entity.name)
  // An entity that the archive moved to another table only contains the archive's records.
  const target = isDeepStrictEqual(named?.entity.table, entity.table) ? named : undefined
  const rivals = target ? await rivalCopier(tx, copyOut, target, all) : null
  const recorder = isKept ? await rowRecorder(tx, entity) : null
  if (!rivals && !recorder) return
  const { choose, removed } = await around(context, 'findTouched', { tx, records }, async () => ALL)
  const readKey = keyReader(entity)
  const keys = new FileKeys(entity)
  for await (const rows of parts()) {
    const keyed = rows.filter((row) => readKey(row) !== null)
    // The page shows unchanged records too.
    await rivals?.copy(choose && !recorder ? await choose(rows) : rows)
    if (rivals && removed) await keys.add(keyed)
    await recorder?.add(keyed)
  }
  await rivals?.end()
  if (target?.isPartial && removed) await carryMissing(tx, copyOut, target, removed(keys))
  await recorder?.keepBefore()
}

/** All rows may be written, and nothing else is touched. */
const ALL: TouchedRecords = { choose: null, removed: null }

function requireReading(installer: InstallContext, entity: string): void {
  if (mayReveal(installer, entity)) return
  throw new AppError('forbidden', `The records of this file need the right "${entity}:read"`)
}

type Page = { file: string; page: number; size: number }
type Conflicts = { total: number; items: RecordConflict[] }

/** What a dry run finds of conflicts: which decisions meet one, and a page of those of one file. */
export class ConflictsFound {
  readonly #met = new Set<string>()
  #listed: Conflicts = { total: 0, items: [] }

  constructor(
    readonly decisions: Decisions = {},
    readonly page: Page | null = null,
  ) {}

  /** Forgets what an attempt that was given up has found in a file. */
  begin({ path }: PlannedFile): void {
    if (this.page?.file === path) this.#listed = { total: 0, items: [] }
  }

  readonly note = ({ path, target }: PlannedFile, conflict: RecordConflict): void => {
    if (this.decisions[target ?? '']) this.#met.add(nameOf(target ?? '', conflict.key))
    if (this.page?.file !== path) return
    const at = this.#listed.total++ - this.page.page * this.page.size
    if (at >= 0 && at < this.page.size) this.#listed.items.push(conflict)
  }

  listed = (): Conflicts => this.#listed

  /**
   * Throws `invalid_input` for decisions about records without a conflict. Those of entities with a file
   * that fails are not judged, as its conflicts are not known.
   */
  requireMet(reports: readonly FileReport[]): void {
    const failed = new Set(reports.flatMap((one) => (one.status === 'failed' ? one.target : [])))
    refuseUnmet(
      decidedKeys(this.decisions).filter(
        ({ entity, key }) => !failed.has(entity) && !this.#met.has(nameOf(entity, key)),
      ),
    )
  }
}

const nameOf = (entity: string, key: unknown) => JSON.stringify([entity, key])
