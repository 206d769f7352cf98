import type { FaultGroup, FileDetail } from '@/lib/definitions/definition-faults'
import { allowedText, examplesText, faultText } from '@/lib/definitions/fault-words'
import type { RecordsOf } from './install'
import type { Colors } from './io'

/** A file in a plan, in the log of an install, or in a validation. */
export type ReportedFile = {
  path: string
  target?: string | null
  status: string
  error?: string | null
  details?: FileDetail[]
  detailCount?: number
  groups?: FaultGroup[]
  warnings?: FileDetail[]
  changes?: string[]
  conflicts?: Conflict[]
  conflictCount?: number
  removed?: { total: number; deleted: number }
  deleted?: { kept: number; restored: number }
  records?: number | Record<string, number>
}

type Conflict = {
  key: unknown
  change: string
  decision: string
  fields: { field: string; base: unknown; ours: unknown; theirs: unknown }[]
}

const TONES: Record<string, 'green' | 'red' | 'yellow' | 'dim'> = {
  ok: 'green',
  created: 'green',
  valid: 'green',
  added: 'green',
  updated: 'yellow',
  warning: 'yellow',
  edited: 'yellow',
  unchecked: 'yellow',
  failed: 'red',
  fault: 'red',
  invalid: 'red',
  deleted: 'red',
  ignored: 'dim',
  unchanged: 'dim',
}

/** A word in the colour of its meaning, padded to a column. */
export const toned = (colors: Colors, word: string): string =>
  colors[TONES[word] ?? 'dim'](word.padEnd(10))

/** The lines of a file: its outcome, then what is wrong or changes. */
export function fileLines(file: ReportedFile, colors: Colors): string[] {
  const { path, status, error, warnings = [], changes = [] } = file
  const counts = countsOf(file.records)
  const head = [toned(colors, status), path, error ?? '', counts && colors.dim(counts)]
  return [
    head.filter(Boolean).join('  '),
    ...faultLines(file, colors),
    ...warnings.map((warning) => `    ${colors.yellow(`warning: ${inWords(warning)}`)}`),
    ...changes.map((change) => `    ${colors.dim(change)}`),
    ...mergeLines(file, colors),
  ]
}

/** Faults of records by rule where several have the same, the others one by one. */
function faultLines(file: ReportedFile, colors: Colors): string[] {
  const { details = [], detailCount = 0, groups = [] } = file
  const isStored = groups.some(({ entity }) => entity !== null)
  if (isStored || groups.length < (groups.length > 0 ? detailCount : 0))
    return groups.map((group) => `    ${colors.red(groupLine(group))}`)
  const left = detailCount - details.length
  return [
    ...details.map((detail) => `    ${colors.red(inWords(detail))}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ]
}

/** `167 stored records have tier = enterprise (allowed: free, pro): 1, 2 and 165 more`. */
function groupLine(group: FaultGroup): string {
  const { entity, keys, indexes, total } = group
  const notes = [allowedText(group), examplesText(group)].filter(Boolean).join('; ')
  const named = entity === null ? indexes.map((index) => `record ${index}`) : keys.map(asJson)
  const left = total - named.length
  const which = `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  return `${faultText(group)}${notes && ` (${notes})`}${named.length > 0 ? `: ${which}` : ''}`
}

/** What a new version met here: conflicts, records that it no longer has, and those that were deleted. */
function mergeLines(file: ReportedFile, colors: Colors): string[] {
  const { total = 0, deleted = 0 } = file.removed ?? {}
  const { kept = 0, restored = 0 } = file.deleted ?? {}
  return [
    ...conflictLines(file, colors, UPGRADE),
    ...(total > 0
      ? [`    ${counted(total, 'record')} no longer in it; ${deleted} of them deleted`]
      : []),
    ...(kept > 0
      ? [`    ${counted(kept, 'record')} deleted here, which stay so without --deleted restore`]
      : []),
    ...(restored > 0 ? [`    ${counted(restored, 'record')} deleted here, created again`] : []),
  ]
}

/** The words for when a record was changed, and for the three states of a field, in JSON. */
type Wording = {
  edited: string
  values: (states: Record<'base' | 'ours' | 'theirs', string>) => string
}

const UPGRADE: Wording = {
  edited: 'here',
  values: ({ base, ours, theirs }) => `was ${base}, here ${ours}, in the plugin ${theirs}`,
}

export function conflictLines(
  { conflicts = [], conflictCount = 0 }: ReportedFile,
  colors: Colors,
  { edited, values }: Wording,
): string[] {
  const left = conflictCount - conflicts.length
  return [
    ...conflicts.flatMap(({ key, change, decision, fields }) => [
      `    ${colors.yellow(`conflict: record ${asJson(key)}, ${change} ${edited} (${decision})`)}`,
      ...fields.map(({ field, base, ours, theirs }) => {
        const states = { base: asJson(base), ours: asJson(ours), theirs: asJson(theirs) }
        return `      ${field}: ${values(states)}`
      }),
    ]),
    ...(left > 0 ? [`    and ${left} more conflicts`] : []),
  ]
}

/** A value as JSON; `nothing` for one that there is not. */
export const asJson = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value)

/** `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

function countsOf(records: ReportedFile['records']): string {
  if (typeof records === 'number') return records > 0 ? counted(records, 'record') : ''
  const counts = Object.entries(records ?? {}).filter(([, count]) => count > 0)
  return counts.map(([what, count]) => `${count} ${what}`).join(', ')
}

/** `record 3 /name: Is missing`; `line 2, column 7: …`. */
function inWords({ index, pointer, line, column, message }: FileDetail): string {
  const place = [
    index === undefined ? '' : `record ${index}`,
    pointer ?? '',
    line === undefined ? '' : `line ${line}, column ${column}`,
  ].filter(Boolean)
  return place.length > 0 ? `${place.join(' ')}: ${message}` : message
}

/** What is shown of one file; the rest is counted. */
const MOST_SHOWN = 20

/** The records that a file would change, field by field. */
export function recordLines({ path, records, total }: RecordsOf, colors: Colors): string[] {
  const changing = records.filter(({ verdict }) => verdict !== 'unchanged')
  const shown = changing.slice(0, MOST_SHOWN)
  const left = changing.length - shown.length
  return [
    colors.bold(path),
    ...shown.flatMap(({ key, verdict, before, after }) => [
      `  ${toned(colors, verdict)}  ${key === null ? 'a new record' : asJson(key)}`,
      ...[...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map(
        (field) => `      ${field}: ${change(before?.[field], after?.[field], colors)}`,
      ),
    ]),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...(total > records.length ? [`  of the first ${records.length} of ${total} records`] : []),
  ]
}

function change(before: unknown, after: unknown, colors: Colors): string {
  if (before === undefined) return colors.green(asJson(after))
  if (after === undefined) return colors.red(asJson(before))
  return `${colors.red(asJson(before))} → ${colors.green(asJson(after))}`
}
