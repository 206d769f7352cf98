import type { Actor } from '@/lib/auth/rights'
import type { ImportColumn, ImportRow } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import {
  refuseClosedFields,
  requireNoneLacking,
  withoutForced,
} from '@/lib/records/check-written-fields'
import { isForced, viewOf } from '@/lib/records/entity-view'
import {
  fieldVerdict,
  isKnown,
  isReadable,
  readsWhole,
  type WriteRule,
  writeRule,
  writeVerdict,
} from '@/lib/records/write-rule'
import { isObject, type Json } from '@/lib/values/json'

/** What policies say of the rows of a file as new records and as changes; null where they make no difference. */
export type ImportRules = { write: WriteRule | null; update: WriteRule | null }

/** Null where policies make no difference between records and fields, in what an import does. */
export async function importRules(
  deps: Deps,
  actor: Actor,
  entity: Entity,
  mode: ImportRow['mode'],
): Promise<ImportRules | null> {
  const write = mode === 'update' ? null : await writeRule(deps, actor, entity, 'write')
  const update = mode === 'create' ? null : await writeRule(deps, actor, entity, 'update')
  return write || update ? { write, update } : null
}

const rulesIn = (rules: ImportRules | null): WriteRule[] =>
  [rules?.write ?? null, rules?.update ?? null].filter((rule) => rule !== null)

/** The entity with the fields alone that columns can be mapped to. */
export function importView(entity: Entity, rules: ImportRules | null): Entity {
  const [first, ...others] = rulesIn(rules).map(viewOf)
  if (!first) return entity
  const views = others.map(({ properties }) => new Set(properties.map(({ name }) => name)))
  if (views.length === 0) return first
  const properties = first.properties.filter(({ name }) => views.every((view) => view.has(name)))
  return { ...first, properties }
}

/** Whether policies give a field its value, whatever a file says. */
export const isForcedIn = (rules: ImportRules | null, name: string): boolean =>
  rulesIn(rules).some((rule) => isForced(rule, name) && !rule.entity.keys.includes(name))

/** Whether each record shows a field to the caller, so that records can be found by it. */
export const isShown = (rules: ImportRules | null, name: string): boolean =>
  rulesIn(rules).every(
    ({ visible, read, entity }) => visible === null || fieldVerdict(read, entity, name) === true,
  )

/** Whether messages may name a field. */
export const isNamedIn = (rules: ImportRules | null, name: string): boolean =>
  rulesIn(rules).every((rule) => isKnown(rule, name))

/** Whether the number of rows that change nothing tells of nothing that is hidden. */
export const tellsUnchanged = (rules: ImportRules | null): boolean =>
  rulesIn(rules).every(readsWhole)

/** Throws `forbidden` for columns of fields that may be read but not written, `invalid_input` for those of unknown fields. */
export function requireColumns(rules: ImportRules | null, columns: readonly ImportColumn[]): void {
  const names = columns.flatMap(({ field }) => (field === null ? [] : [[field, null] as const]))
  for (const rule of rulesIn(rules)) refuseClosedFields(rule, Object.fromEntries(names))
  if (rules?.write) requireNoneLacking(rules.write)
}

/** Throws `forbidden` that names those of `names` that may be read but not written. */
export function requireWritable(rules: ImportRules | null, names: readonly string[]): void {
  for (const rule of rulesIn(rules)) {
    const closed = names.filter(
      (name) =>
        isReadable(rule, name) && writeVerdict(rule, name) === false && !isForced(rule, name),
    )
    refuseClosedFields(rule, Object.fromEntries(closed.map((name) => [name, null])))
  }
}

/** Why a record can't be written because of its fields; undefined where it can. */
export function closedFault(rules: ImportRules, record: Json): string | undefined {
  try {
    for (const rule of rulesIn(rules)) if (isObject(record)) refuseClosedFields(rule, record)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The record without the fields that policies give. */
export const withoutForcedIn = (rules: ImportRules | null, record: Json): Json =>
  rulesIn(rules).reduce((rest, rule) => withoutForced(rule, rest), record)
