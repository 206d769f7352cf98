import { isDeepStrictEqual } from 'node:util'
import type { Entity, FieldReference, Property, TableName } from '@/lib/definitions/definition'
import { originalSchema } from '@/lib/definitions/names'
import { objectName } from './ddl/object-name'
import type { ReferenceSpec, StepOf } from './ddl-step'
import { pairsOf, whyUnlinked } from './reference-fields'

/** A foreign key that exists, or should. */
export type Reference = { table: TableName; reference: ReferenceSpec }

/** A declared reference that can't be a foreign key, and why; `isMissing`: its target does not exist. */
export type LooseReference = {
  entity: string
  property: string
  target: string
  isMissing: boolean
  reason: string
}

/** `keys`: primary key of the referring table, to name its records. */
export type EnforcedReference = Reference & { entity: string; keys: string[] }

export type DesiredReferences = {
  enforced: EnforcedReference[]
  loose: LooseReference[]
}

/**
 * Which declared references are foreign keys. `entities` must hold every entity that has references
 * or is referred to. References in a cycle of entities can't be enforced: no order of files would
 * satisfy them.
 */
export function desiredReferences(entities: readonly Entity[]): DesiredReferences {
  const byName = new Map(entities.map((entity) => [entity.name, entity]))
  const desired: DesiredReferences = { enforced: [], loose: [] }
  for (const entity of entities) {
    for (const property of entity.properties) {
      const { reference } = property.rules
      if (!reference) continue
      const target = byName.get(reference.entity)
      const reason = whyLoose(entity, property, target, byName)
      if (target && !reason)
        desired.enforced.push(toReference(entity, property.name, reference, target))
      else
        desired.loose.push({
          entity: entity.name,
          property: property.name,
          target: reference.entity,
          isMissing: !target,
          reason: reason ?? '',
        })
    }
  }
  return desired
}

function toReference(
  entity: Entity,
  own: string,
  { onDelete, ...reference }: FieldReference,
  target: Entity,
): EnforcedReference {
  const { columns, fields } = pairsOf(own, reference)
  const name = objectName('fk', entity.table, [
    own,
    originalSchema(target.table.schema),
    target.table.name,
    ...fields,
    ...columns.slice(1),
    ...(onDelete ? [onDelete] : []),
  ])
  const action = onDelete ? { onDelete } : {}
  return {
    entity: entity.name,
    keys: entity.keys,
    table: entity.table,
    reference: { name, columns, target: target.table, fields, ...action },
  }
}

/** Why a declared reference can't be a foreign key, or null. `byName` as `desiredReferences` needs them. */
export function whyLoose(
  entity: Entity,
  property: Property,
  target: Entity | undefined,
  byName: ReadonlyMap<string, Entity>,
): string | null {
  const reason = whyUnlinked(entity, property, target)
  if (reason || !target) return reason
  const isCycle = target.name !== entity.name && reaches(target, entity.name, byName)
  return isCycle ? `${entity.name} and ${target.name} refer to each other` : null
}

function reaches(from: Entity, to: string, byName: ReadonlyMap<string, Entity>): boolean {
  const seen = new Set([from.name])
  const open = [from]
  for (let entity = open.pop(); entity; entity = open.pop()) {
    for (const { rules } of entity.properties) {
      const name = rules.reference?.entity
      const next = name === undefined ? undefined : byName.get(name)
      if (!next || seen.has(next.name)) continue
      if (next.name === to) return true
      seen.add(next.name)
      open.push(next)
    }
  }
  return false
}

type Changed = {
  recreated: readonly TableName[]
  retyped: readonly { table: TableName; column: string }[]
}

/**
 * The foreign keys to drop before tables are changed and to add after. `recreated` tables lose all of
 * theirs, `retyped` columns until they have their new types. `isNew` says which references this change declares: stored values must agree with those.
 */
export function planReferences(
  existing: readonly Reference[],
  desired: readonly EnforcedReference[],
  { recreated, retyped }: Changed,
  isNew: (entity: string, column: string) => boolean,
): { drop: StepOf<'drop-reference'>[]; add: StepOf<'add-reference'>[] } {
  const isRecreated = (table: TableName) =>
    recreated.some(({ schema, name }) => schema === table.schema && name === table.name)
  const isRetyped = (table: TableName, column: string) =>
    retyped.some((one) => one.column === column && isDeepStrictEqual(one.table, table))
  const wanted = new Set(desired.map(({ reference }) => reference.name))
  const kept = new Set<string>()
  const drop = existing.flatMap(({ table, reference }): StepOf<'drop-reference'>[] => {
    const isChanged =
      [table, reference.target].some(isRecreated) ||
      reference.columns.some((column) => isRetyped(table, column)) ||
      reference.fields.some((field) => isRetyped(reference.target, field))
    const stays = wanted.has(reference.name) && !isChanged
    if (stays) kept.add(reference.name)
    return stays ? [] : [{ type: 'drop-reference', table, reference }]
  })
  const add = desired
    .filter(({ reference }) => !kept.has(reference.name))
    .map(({ table, reference, entity }): StepOf<'add-reference'> => {
      const strict = isNew(entity, reference.columns[0] ?? '')
      return { type: 'add-reference', table, reference, strict }
    })
  return { drop, add }
}
