import type { Entity } from '@/lib/definitions/definition'
import type { Json, JsonObject } from '@/lib/values/json'
import { isStorableText, whyNotStorable } from '@/lib/values/storable'
import type { CompiledEntity, Field } from './compiled-entity'
import type { PreparedRow } from './prepared-row'
import { addFault, pointerTo, type RecordFaults, showable, shownIn } from './record-faults'

/**
 * Separates declared from undeclared fields and converts them (the row may share the record); values that can't be stored become
 * faults. Skips the fields that are already `faulty`.
 */
export function splitFields(
  entity: Entity,
  { fields, overlooked, computed }: CompiledEntity,
  record: JsonObject,
  { index, faulty, faults }: { index: number; faulty: ReadonlySet<string>; faults: RecordFaults },
): PreparedRow {
  const names = Object.keys(record)
  // Most records are stored as they are given; only others are copied.
  let values: JsonObject | null = null
  let extra: JsonObject | null = null
  for (let at = 0; at < names.length; at++) {
    const name = names[at] ?? ''
    const value = record[name] ?? null
    const field = fields.get(name)
    const isLeftOut = faulty.has(name) || (!field && overlooked.has(name))
    if (isLeftOut || !field) values ??= firstFields(record, names, at)
    if (isLeftOut) continue
    const fault = computed.has(name)
      ? COMPUTED
      : field
        ? whyNotStorable(value)
        : undeclaredFault(entity, name, value)
    if (fault !== null) {
      const detail = { index, pointer: pointerTo(name), message: fault }
      const rule = computed.has(name) ? 'computed' : field || entity.open ? 'value' : 'undeclared'
      const own = rule === 'value' ? { value: shownIn(value) } : {}
      const about = { rule, field: name, index, message: () => fault, ...own } as const
      addFault(faults, about, () => ({ ...detail, value: showable(value) }))
    } else if (field) {
      const stored = convert(field, value)
      if (stored !== value) values ??= firstFields(record, names, at)
      if (values) values[name] = stored
    } else {
      extra ??= {}
      put(extra, name, value)
    }
  }
  return { index, values: values ?? record, extra }
}

const firstFields = (record: JsonObject, names: readonly string[], count: number): JsonObject =>
  Object.fromEntries(names.slice(0, count).map((name) => [name, record[name] ?? null]))

const COMPUTED = 'is computed from other fields and cannot be set; leave it out'

const MAX_NAME_CHARS = 200

function undeclaredFault({ name: entity, open }: Entity, name: string, value: Json): string | null {
  if (!open) return `is not a field of ${entity}`
  if (name.length > MAX_NAME_CHARS) return `has a name of more than ${MAX_NAME_CHARS} characters`
  if (!isStorableText(name)) return 'has a name that the database cannot store'
  return whyNotStorable(value)
}

const convert = ({ convert }: Field, value: Json): Json =>
  convert === null || value === null ? value : convert(value)

function put(target: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, ...PLAIN })
}

// Assigning this name would set the prototype.
const PLAIN = { enumerable: true, writable: true, configurable: true }
