import type { Entity } from '@/lib/definitions/definition'
import { type ArchivePosition, changesAfter, changesBefore } from './archive-position'
import type { StepOf } from './ddl-step'
import type { TableChange } from './plan-change'
import type { LooseReference } from './plan-references'

/** What people are told about references of `changes`, or to them, that are not enforced. */
export function looseNotes(
  loose: readonly LooseReference[],
  changes: readonly TableChange[],
  position: ArchivePosition | undefined,
  dropped: ReadonlySet<string>,
): string[] {
  const changed = new Set(changes.map(({ after }) => after.name))
  const created = new Set(changes.flatMap(({ before, after }) => (before ? [] : [after.name])))
  return loose.flatMap(({ entity, property, target, reason }) => {
    const isOwn = changed.has(entity)
    const isDropped = dropped.has(`${entity}.${property}`)
    const isDue = changed.has(target) && changesBefore(position, entity)
    if (isOwn ? changesAfter(position, target) : !created.has(target) && !isDropped && !isDue)
      return []
    const name = isOwn ? property : `${entity}.${property}`
    return [`The reference of ${name} is ${isDropped ? 'no longer' : 'not'} enforced: ${reason}`]
  })
}

/** The fields, with their entities, whose foreign keys are dropped. */
export const droppedFields = (
  drop: readonly StepOf<'drop-reference'>[],
  referring: readonly Entity[],
) =>
  new Set(
    referring.flatMap(({ name, table }) =>
      drop
        .filter((step) => step.table.schema === table.schema && step.table.name === table.name)
        .map(({ reference }) => `${name}.${reference.columns[0]}`),
    ),
  )
