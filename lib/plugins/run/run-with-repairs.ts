import { setImmediate as otherRequests } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import type { Db } from '@/lib/db/types'
import type { FileReport } from '@/lib/plugins/file-report'
import { recordFiles } from '@/lib/plugins/history/record-files'
import type { Definitions, PlannedFile } from '@/lib/plugins/plugin-file'
import { entitiesNamed, entitiesOfSchema, schemaNamed } from '@/lib/registry/registry-rows'
import { addFailed, copyFailed, noteFailed } from './failed-definitions'
import { relaxEntity, relaxSchema } from './relax-definition'
import { type InstallContext, runFile } from './run-file'

/**
 * For a definition file that stored records contradict, where the archive has data files of its entities:
 * installs it without what they contradict, then the files up to the last of those, then the definition
 * itself, in one transaction. Returns the reports of these files in their order, recorded in the history;
 * null, with nothing written, when there are no such files or records still contradict it.
 */
export async function runWithRepairs(
  db: Db,
  files: readonly PlannedFile[],
  at: number,
  context: InstallContext,
): Promise<FileReport[] | null> {
  const last = await lastRepair(db, files, at)
  if (last === at) return null
  const created = new Set(context.created)
  const failed = copyFailed(context.failed)
  try {
    const reports = await db.transaction(async (tx) => {
      await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
      const group = { ...context, history: null, created, failed }
      const done = await runGroup(tx, files, { at, last }, group)
      for (const report of context.history ? done : []) await record(tx, context, report)
      return done
    })
    for (const name of created) context.created.add(name)
    addFailed(context.failed, failed)
    return reports
  } catch (error) {
    if (error instanceof StillContradicted) return null
    throw error
  }
}

/** Whether stored records are what a definition file fails for. */
export const isContradicted = ({ kind, error }: FileReport): boolean =>
  error === 'Incompatible change' && (kind === 'schema' || kind === 'entity')

class StillContradicted extends Error {}

type Range = { at: number; last: number }

async function runGroup(
  tx: Db,
  files: readonly PlannedFile[],
  range: Range,
  context: InstallContext,
): Promise<FileReport[]> {
  const run = (file: PlannedFile) => runFile(tx, file, context)
  const reports = new Map<number, FileReport>()
  const waiting = new Map<number, FileReport | null>()
  let { last } = range
  for (let at = range.at; at <= last; at++) {
    const file = files[at]
    if (!file) break
    await otherRequests()
    const report = waiting.size === 0 ? null : await run(file)
    if (report && !isContradicted(report)) {
      await noteFailed(tx, context.failed, file, report)
      reports.set(at, report)
      continue
    }
    waiting.set(at, await runRelaxed(tx, file, run))
    last = Math.max(last, await lastRepair(tx, files, at))
  }
  for (const [at, relaxed] of waiting) {
    const file = files[at]
    const report = file && (await run(file))
    if (!report || report.status === 'failed') throw new StillContradicted()
    reports.set(at, joined(relaxed, report))
  }
  return [...reports].sort(([a], [b]) => a - b).map(([, report]) => report)
}

const NOTE =
  'Checked after the data files of its entities, since stored records contradicted it before'

const joined = (relaxed: FileReport | null, report: FileReport): FileReport => ({
  ...report,
  changes: [...(relaxed?.changes ?? []), ...report.changes, NOTE],
  durationMs: (relaxed?.durationMs ?? 0) + report.durationMs,
})

/** Null when even that is refused: the data files then meet the installed definition. */
async function runRelaxed(
  tx: Db,
  file: PlannedFile,
  run: (file: PlannedFile) => Promise<FileReport>,
): Promise<FileReport | null> {
  const definitions = file.definitions && (await relaxed(tx, file.definitions))
  const report = definitions ? await run({ ...file, definitions }) : null
  return report?.status === 'failed' ? null : report
}

async function relaxed(tx: Db, definitions: Definitions): Promise<Definitions> {
  if (definitions.kind === 'schema') {
    const items = []
    for (const item of definitions.items) {
      const [installed] = await schemaNamed(tx, item.name)
      items.push(relaxSchema(installed?.definition, item))
    }
    return { ...definitions, items }
  }
  if (definitions.kind !== 'entity') return definitions
  const installed = await entitiesNamed(
    tx,
    definitions.items.map(({ name }) => name),
  )
  const items = definitions.items.map((item) => {
    const found = installed.find(({ row }) => row.name === item.name)
    return relaxEntity(found?.row.definition, item)
  })
  return { ...definitions, items }
}

/** The position of the last data file of the entities that a definition file changes; its own without any. */
async function lastRepair(tx: Db, files: readonly PlannedFile[], at: number): Promise<number> {
  const targets = await entitiesOf(tx, files[at]?.definitions ?? null)
  const isRepair = ({ kind, target, failure }: PlannedFile) =>
    kind === 'data' && failure === null && targets.has(target ?? '')
  return Math.max(at, files.findLastIndex(isRepair))
}

async function entitiesOf(tx: Db, definitions: Definitions | null): Promise<ReadonlySet<string>> {
  if (definitions?.kind === 'entity') return new Set(definitions.items.map(({ name }) => name))
  const names = new Set<string>()
  for (const { name } of definitions?.kind === 'schema' ? definitions.items : [])
    for (const { row } of await entitiesOfSchema(tx, name)) names.add(row.name)
  return names
}

async function record(tx: Db, { history }: InstallContext, report: FileReport): Promise<void> {
  if (history) await recordFiles(tx, history, [report])
}
