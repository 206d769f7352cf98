import type { FaultGroup } from '@/lib/definitions/fault-group'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { toFailure } from '@/lib/plugins/content/read-content'
import type { FileKind } from '@/lib/plugins/file-report'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { envelopeWarnings } from '@/lib/plugins/run/envelope'
import { readRows } from '@/lib/plugins/run/read-rows'
import { FileFailure, MAX_DETAILS, type Verdict } from '@/lib/plugins/verdict'
import { type Definitions, definitionsOf } from './definitions-of'

/** What is known of a file without a database. `unchecked`: it needs what is not in the archive. */
export type FileCheck = {
  path: string
  target: string | null
  kind: FileKind | null
  status: 'valid' | 'invalid' | 'unchecked'
  error: Verdict | null
  /** At most 100. */
  details: FileDetail[]
  detailCount: number
  /** The faults of records by rule; their totals are exact. */
  groups: FaultGroup[]
  warnings: FileDetail[]
  /** Of a data file that was checked. */
  records: number
}

/** A function that checks the files of a plan, each among the others. */
export function fileChecker(files: readonly PlannedFile[]) {
  const definitions = definitionsOf(files)
  return async (file: PlannedFile): Promise<FileCheck> => {
    const { failure, records, warnings = [] } = await outcomeOf(file, definitions)
    const { path, target, kind } = file
    return {
      ...{ path, target, kind },
      status: failure === null ? 'valid' : isElsewhere(failure) ? 'unchecked' : 'invalid',
      error: failure?.verdict ?? null,
      details: failure?.details ?? [],
      detailCount: failure?.detailCount ?? 0,
      groups: failure?.groups ?? [],
      warnings: [...file.warnings, ...warnings].slice(0, MAX_DETAILS),
      records,
    }
  }
}

const isElsewhere = ({ verdict }: FileFailure) => verdict === 'Missing dependency'

type Outcome = { failure: FileFailure | null; records: number; warnings?: FileDetail[] }

async function outcomeOf(file: PlannedFile, definitions: Definitions): Promise<Outcome> {
  if (file.failure) return { failure: file.failure, records: 0 }
  if (file.kind !== 'data') return { failure: definitions.failureOf(file), records: 0 }
  const entity = definitions.entityNamed(file.target ?? '')
  if (entity instanceof FileFailure) return { failure: entity, records: 0 }
  const warnings = await envelopeWarnings(file, entity)
  const reader = readRows(file, entity)
  let records = 0
  try {
    for await (const _ of reader.read(() => records++));
  } catch (error) {
    const failure = toFailure(error)
    if (!failure) throw error
    return { failure, records, warnings }
  }
  const failure = reader.faults().faultCount > 0 ? reader.failure() : null
  return { failure, records, warnings }
}
