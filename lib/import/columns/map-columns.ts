import { distance } from 'fastest-levenshtein'
import type { ImportColumn } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { LISTED } from '@/lib/definitions/link'
import { AppError, type Validation } from '@/lib/errors'
import { compileEntity } from '@/lib/rows/compiled-entity'
import { suggestion } from '@/lib/values/nearest'

/** Columns to fields; null leaves a column out. */
export type Mapping = Readonly<Record<string, string | null>>

/** The last column of a file of refused rows. */
export const REASON_COLUMN = 'engine:reason'

type Options = {
  mapping: Mapping | null
  /** Leave out columns that belong to no field, instead of refusing the file. */
  ignoresUnknown: boolean
  /** Whether policies give a field its value. */
  isForced?: (field: string) => boolean
}

/**
 * What each column of a file becomes. Without a mapping, fields are found by their names and labels, exactly, then without case
 * and punctuation, then by likeness. Throws `invalid_input` that names every column which belongs to no field or twice
 * to one; the columns found are in its `meta.columns`.
 */
export function mapColumns(
  entity: Entity,
  names: readonly string[],
  { mapping, ignoresUnknown, isForced = () => false }: Options,
): ImportColumn[] {
  const found = new Map<string, ImportColumn>()
  const faults: Validation[] = []
  const fault = (column: string, error: string) =>
    faults.push({ field: `mapping.${column}`, error })
  for (const column of names)
    if (column === REASON_COLUMN)
      found.set(column, leftOut(column, 'says why the row was refused before'))
    else if (isForced(mapping?.[column] ?? column))
      found.set(column, leftOut(column, 'is set by a policy'))
  if (mapping) readMapping(entity, names, mapping, found, fault)
  else guess(entity, names, found)
  for (const column of names) {
    if (found.has(column)) continue
    const reason = whyNotSettable(entity, column)
    if (reason && !mapping?.[column]) found.set(column, leftOut(column, reason))
    else if (ignoresUnknown) found.set(column, leftOut(column, `is not a field of ${entity.name}`))
    else if (mapping && isSettable(entity, column)) fault(column, unmapped(column))
    else fault(column, unknown(entity, column))
  }
  refuseRepeated(found, fault)
  const columns = names.flatMap((name) => found.get(name) ?? [])
  const [first] = faults
  if (!first) return columns
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw new AppError('invalid_input', `${first.error}${more}`, {
    validations: faults.slice(0, 100),
    meta: { columns },
  })
}

const leftOut = (column: string, reason: string): ImportColumn => ({
  ...{ column, field: null, by: 'ignored', reason },
})

type FoundColumns = Map<string, ImportColumn>
type Fault = (column: string, error: string) => void

function readMapping(
  entity: Entity,
  names: readonly string[],
  mapping: Mapping,
  found: FoundColumns,
  fault: Fault,
): void {
  for (const [column, field] of Object.entries(mapping)) {
    if (!names.includes(column))
      fault(column, `The file has no column "${column}"${suggestion(column, names)}`)
    else if (found.has(column)) continue
    else if (field === null) found.set(column, leftOut(column, 'is left out by the mapping'))
    else if (isSettable(entity, field))
      found.set(column, { column, field, by: 'mapping', reason: null })
    else {
      found.set(column, leftOut(column, 'is mapped to no field'))
      fault(column, `"${field}" ${whyNotSettable(entity, field) ?? noField(entity, field)}`)
    }
  }
}

/** The surest first, so that a column does not take the field of one that has its exact name. */
function guess(entity: Entity, names: readonly string[], found: FoundColumns): void {
  const fields = [...compileEntity(entity).fields.values()].map(({ property }) => property)
  const taken = new Set<string>()
  const take = (by: 'name' | 'likeness', isFor: (column: string, name: string) => boolean) => {
    for (const column of names) {
      if (found.has(column) || whyNotSettable(entity, column)) continue
      const fits = fields.filter(
        ({ name, label }) =>
          !taken.has(name) && [name, label ?? name].some((one) => isFor(column, one)),
      )
      const [only] = fits
      if (!only || fits.length > 1) continue
      taken.add(only.name)
      found.set(column, { column, field: only.name, by, reason: null })
    }
  }
  take('name', (column, name) => column === name)
  for (const column of entity.open ? names : [])
    if (!found.has(column) && entity.extraFields.includes(column))
      found.set(column, { column, field: column, by: 'name', reason: null })
  take('name', (column, name) => plainName(column) !== '' && plainName(column) === plainName(name))
  take('likeness', (column, name) => isLike(plainName(column), plainName(name)))
}

const isSettable = (entity: Entity, field: string): boolean =>
  compileEntity(entity).fields.has(field) ||
  (entity.open && field !== '' && !isList(entity, field) && whyNotSettable(entity, field) === null)

const isList = ({ listNames = [] }: Entity, field: string): boolean => listNames.includes(field)

/** Null for what can be set, and for what is no field. */
function whyNotSettable(entity: Entity, field: string): string | null {
  const { overlooked, computed } = compileEntity(entity)
  if (computed.has(field)) return 'is computed from other fields'
  return overlooked.has(field) ? 'is set by the server' : null
}

const noField = (entity: Entity, field: string) =>
  isList(entity, field) ? LISTED : notAField(entity, field)

const notAField = (entity: Entity, field: string) =>
  `is not a field of ${entity.name}${suggestion(field, compileEntity(entity).fields.keys())}`

const unmapped = (column: string) =>
  `The mapping does not name the column "${column}"; map it to a field, or to null to leave it out`

function unknown(entity: Entity, column: string): string {
  const what = noField(entity, column)
  const then = what.endsWith('?') ? ' Map' : '; map'
  return `The column "${column}" ${what}${then} it to a field, or to null to leave it out`
}

function refuseRepeated(found: FoundColumns, fault: Fault): void {
  const first = new Map<string, string>()
  for (const { column, field } of found.values()) {
    if (field === null) continue
    const other = first.get(field)
    if (other !== undefined)
      fault(column, `The columns "${other}" and "${column}" are both mapped to "${field}"`)
    else first.set(field, column)
  }
}

/** A name without case, accents and what stands between words. */
const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Whether two plain names differ by so little that one is likely a slip of the other. */
function isLike(one: string, other: string): boolean {
  const length = Math.max(one.length, other.length)
  const few = length < 5 ? 0 : length < 10 ? 1 : 2
  return Math.abs(one.length - other.length) <= few && distance(one, other) <= few
}
