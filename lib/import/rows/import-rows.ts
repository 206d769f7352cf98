import type { Actor } from '@/lib/auth/rights'
import { currentBudget, requireBudget } from '@/lib/db/budget'
import type { ImportColumn, ImportRow } from '@/lib/db/schema'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import type { ImportKeep } from '@/lib/records/kept-imports'
import { withoutUnchanged } from '@/lib/registry/may-read'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { fieldOf, noFaults } from '@/lib/rows/record-faults'
import type { NameReferences } from '../columns/name-references'
import { recordMaker, rowFaults } from '../columns/record-maker'
import { FileFault, type Source, type SourceRow } from '../file/source'
import {
  closedFault,
  type ImportRules,
  importView,
  tellsUnchanged,
  withoutForcedIn,
} from '../import-rules'
import { partWriter } from './part-writer'
import { harmlessTexts, type RefusedFile } from './refused-file'

export type RowPlan = {
  mode: ImportRow['mode']
  key: readonly string[]
  columns: readonly ImportColumn[]
  ignoresUnknown: boolean
  isDryRun: boolean
  actor: Actor
  rules: ImportRules | null
  toKeys: NameReferences
  /** Where it keeps what it replaces; without it, it can't be undone. */
  keep?: ImportKeep | null
}

export type Progress = { doneBytes: number; doneRows: number; refused: number }

export type Imported = { counts: RecordCounts; groups: FaultGroup[] }

type Files = { source: Source; refused: RefusedFile; progress: Progress }

/** Together they are a statement; the next ones are read and checked while it runs. A batch has at most about 512 KB. */
const PART_ROWS = 5_000
const PART_BATCHES = 8
/** Their unique values are known by digests in memory. */
const MAX_ROWS = 5_000_000
/** Of one row; a wide one may have thousands of faults. */
const MAX_REASONS = 10
/** How long patterns may be matched in a file, which pauses for other requests. */
const MATCHING_MS = 300_000

type Part = { first: number; rows: SourceRow[]; prepared: PreparedRow[] }

/**
 * Reads, checks and writes the rows of a file part by part, in the caller's transaction; a dry run only checks. Refused rows are
 * left out, counted by rule and written to `refused`. Throws `FileFault` for a file that can't be read to its end.
 */
export async function importRows(
  db: Db,
  entity: Entity,
  plan: RowPlan,
  { source, refused, progress }: Files,
): Promise<Imported> {
  const reasons: Reasons = new Map()
  const faults = noFaults()
  faults.onFault = (index, detail) => {
    const found = index === undefined ? undefined : reasons.get(index)
    if (found && found.length < MAX_REASONS) found.push(reasonOf(detail))
    else if (!found && index !== undefined) reasons.set(index, [reasonOf(detail)])
  }
  const { rules } = plan
  const view = importView(entity, rules)
  const preparation = beginPreparation(view, plan.mode === 'update' ? 'update' : 'insert', {
    ...{ matchingMs: MATCHING_MS, exceeded: () => new FileFault(TOO_SLOW) },
    ...(plan.mode === 'create' ? {} : { identifiedBy: plan.key }),
    faults,
  })
  const toSent = recordMaker(view, plan.columns, { ...plan, format: source.format })
  const toRecord = (row: SourceRow) => withoutForcedIn(rules, toSent(row))
  const isReadable = rowFaults(view, plan.columns)
  // Columns were looked at before; records of JSON may have others.
  const faultOf = (row: SourceRow) =>
    isReadable(row) ?? (rules && 'record' in row ? closedFault(rules, toRecord(row)) : undefined)
  const isText = source.format === 'csv' || source.format === 'xlsx'
  const writer = await partWriter(db, entity, plan, {
    ...{ faults, isText, isSheet: source.format === 'xlsx' },
  })
  const textsToCorrect = harmlessTexts(view, plan.columns, source.format)
  const width = plan.columns.length
  let read = 0
  let running = Promise.resolve()
  // Another statement must not run in what a failed one leaves to be rolled back.
  const whenIdle = () => running.then(() => db)

  async function prepare(rows: SourceRow[]): Promise<Part> {
    const keyed = await plan.toKeys(rows, whenIdle)
    const part: Part = { first: read, rows, prepared: [] }
    read += rows.length
    let readable: SourceRow[] = []
    const take = (row: PreparedRow) => part.prepared.push(row)
    const flush = async () => {
      await preparation.add(readable.map(toRecord), take)
      readable = []
    }
    for (const row of keyed) {
      const fault = faultOf(row)
      if (fault === undefined) {
        readable.push(row)
        continue
      }
      await flush()
      preparation.refuse(fault)
    }
    await flush()
    return part
  }

  async function settle({ first, rows, prepared }: Part): Promise<void> {
    await writer.add(prepared, (index) => textsToCorrect(rows[index - first] as SourceRow))
    for (const [at, row] of rows.entries()) await refuse(first + at, () => textsToCorrect(row))
    progress.doneRows = first + rows.length
  }

  async function refuse(index: number, texts: () => (string | null)[]): Promise<void> {
    const found = reasons.get(index)
    if (!found) return
    reasons.delete(index)
    progress.refused++
    await refused.add(texts(), width, [...new Set(found)].join('; '))
  }

  try {
    for await (const rows of partsOf(source, progress)) {
      requireBudget(currentBudget())
      const part = await prepare(rows)
      await running
      running = settle(part)
      running.catch(() => {}) // thrown when it is awaited
    }
  } finally {
    // No statement may follow the rollback.
    await running.catch(() => {})
  }
  await running
  for (const { index, texts } of await writer.end()) await refuse(index, () => texts)
  const counts = tellsUnchanged(rules) ? writer.counts : withoutUnchanged(writer.counts)
  return {
    counts: { ...counts, failed: progress.refused },
    groups: faults.groups.list(),
  }
}

async function* partsOf(source: Source, progress: Progress): AsyncGenerator<SourceRow[]> {
  let part: SourceRow[] = []
  let [batches, rows] = [0, 0]
  const onBytes = (bytes: number) => {
    progress.doneBytes = bytes
  }
  for await (const batch of source.rows(onBytes)) {
    rows += batch.length
    if (rows > MAX_ROWS) throw new FileFault(TOO_MANY)
    batches++
    for (let from = 0; from < batch.length; ) {
      const taken = batch.slice(from, from + PART_ROWS - part.length)
      part = part.length === 0 ? taken : part.concat(taken)
      from += taken.length
      if (part.length < PART_ROWS && batches < PART_BATCHES) continue
      yield part
      part = []
      batches = 0
    }
  }
  if (part.length > 0) yield part
}

const TOO_MANY = `The file has more than ${MAX_ROWS.toLocaleString('en')} rows; split it`
const TOO_SLOW = tooSlowToMatch('one file', 'rows')

/** Why rows are refused, by their index in the file. */
type Reasons = Map<number, string[]>

/** In one sentence, with the name of the field where the message has none. */
function reasonOf({ pointer = '', message }: FileDetail): string {
  const field = fieldOf(pointer)
  return field === '' || message.includes(`"${field}"`) ? message : `${field} ${message}`
}
