import { isDeepStrictEqual } from 'node:util'
import { inArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Definitions, PlannedFile } from '@/lib/archives/plugin-file'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import { isUnavailable } from '@/lib/db/errors'
import { entities, entityTypes, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import {
  InstallClosedError,
  NO_RECORDS,
  recordFiles,
  successReport,
} from '@/lib/installs/file-report'
import { ownerNotes } from '@/lib/registry/definition-owner'
import { lockDefinitions, toStored } from '@/lib/tables/definition-transaction'
import type { InstallContext } from '../points'
import { inOrder } from './apply-definitions'
import type { Together } from './install-together'

/** What is compared at once. */
const MOST_FILES = 16
const MOST_BYTES = 256 * 1024

/**
 * Reports the files from `at` on whose definitions are all installed as they are, up to the first other one, in one transaction of
 * `db`: to change nothing needs no rights and notes. None when the first file is another one, or when this fails for a
 * reason that `runFile` may overcome.
 */
export async function passUnchanged(
  db: Db,
  files: readonly PlannedFile[],
  at: number,
  context: InstallContext,
): Promise<Together> {
  const candidates = firstComparable(files.slice(at, at + MOST_FILES))
  if (candidates.length === 0) return NONE
  const { history, dryRun } = context
  try {
    const pass = (tx: Db) => passFirst(tx, candidates, context)
    // Files that are installed together have one state of the definitions.
    return await (history
      ? pass(db)
      : db.transaction((tx) => lockDefinitions(tx).then(() => pass(tx))))
  } catch (error) {
    if (dryRun || error instanceof InstallClosedError || isUnavailable(error)) throw error
    requireBudget(currentBudget())
    return NONE
  }
}

const NONE: Together = { reports: [], tried: 1 }

async function passFirst(
  db: Db,
  candidates: readonly Candidate[],
  { history, pluginId }: InstallContext,
): Promise<Together> {
  const startedAt = performance.now()
  const installed = await installedOf(db, candidates)
  const isSame = candidates.map(({ definitions }) => isInstalled(definitions, installed))
  const end = isSame.indexOf(false)
  const unchanged = end < 0 ? candidates : candidates.slice(0, end)
  const next = isSame.indexOf(true, unchanged.length)
  const tried = next < 0 ? candidates.length : next
  if (unchanged.length === 0) return { reports: [], tried }
  const durationMs = Math.round((performance.now() - startedAt) / unchanged.length)
  const reports = unchanged.map(({ file, definitions }) => {
    const counts = { ...NO_RECORDS, unchanged: definitions.items.length }
    const changes = inOrder(definitions).flatMap(([, { kind, item }]) =>
      ownerNotes(installed.get(keyOf(kind, item.name)), pluginId),
    )
    return successReport(file, { counts, changes }, durationMs)
  })
  if (history) await db.transaction((tx) => recordFiles(tx, history, reports))
  return { reports, tried }
}

/** Kinds that anybody who installs may leave as they are. */
type Comparable = Extract<Definitions, { kind: keyof typeof TABLES }>
type Candidate = { file: PlannedFile; definitions: Comparable }

const TABLES = { type: entityTypes, schema: schemas, entity: entities } as const

function firstComparable(files: readonly PlannedFile[]): Candidate[] {
  const candidates: Candidate[] = []
  let bytes = 0
  for (const file of files) {
    const { definitions, failure, local } = file
    bytes += file.bytes.length
    const isTooMuch = candidates.length > 0 && bytes > MOST_BYTES
    // What the author gives is kept beside what is merged with it.
    if (failure || local || isTooMuch || !definitions || !isComparable(definitions)) break
    candidates.push({ file, definitions })
  }
  return candidates
}

const isComparable = (definitions: Definitions): definitions is Comparable =>
  definitions.kind in TABLES &&
  // An entity that takes over a former one changes, whatever its definition.
  (definitions.kind !== 'entity' ||
    definitions.items.every(({ renamedFrom }) => !renamedFrom?.length))

type Installed = { name: string; pluginId: string | null; definition: object }

async function installedOf(
  db: Db,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, Installed>> {
  const select = (kind: Comparable['kind']) => {
    const table = TABLES[kind]
    const names = candidates
      .filter(({ definitions }) => definitions.kind === kind)
      .flatMap(({ definitions }) => definitions.items.map(({ name }) => name))
    return db
      .select({
        kind: sql<Comparable['kind']>`${kind}::text`,
        name: table.name,
        pluginId: table.pluginId,
        definition: sql<object>`${table.definition}`,
      })
      .from(table)
      .where(inArray(table.name, names))
  }
  const found = await unionAll(select('type'), select('schema'), select('entity'))
  return new Map(found.map((one) => [keyOf(one.kind, one.name), one]))
}

const keyOf = (kind: string, name: string) => `${kind}:${name}`

const isInstalled = (
  { kind, items }: Comparable,
  installed: ReadonlyMap<string, Installed>,
): boolean =>
  items.every((item) => {
    const found = installed.get(keyOf(kind, item.name))
    // What belongs to no plugin gets an owner.
    return found?.pluginId != null && isDeepStrictEqual(found.definition, toStored(item))
  })
