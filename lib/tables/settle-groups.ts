import type { Entity } from '@/lib/definitions/definition'
import type { FaultFilter, FaultGroup } from '@/lib/definitions/fault-group'
import type { StoredGroup } from './contradiction-groups'
import type { DdlStep } from './ddl-step'
import type { TableChange } from './plan-change'

/**
 * Groups of stored records in the names that the entity has while nothing is changed. A filter goes where an
 * `earlier` step of the change has made other values of what it tests: it would find others, or nothing.
 */
export function settleGroups(
  groups: readonly StoredGroup[],
  change: Pick<TableChange, 'before' | 'after' | 'renames'> | null,
  earlier: readonly DdlStep[],
): FaultGroup[] {
  const entity = change?.before?.entity ?? change?.after
  const made = new Set(earlier.flatMap(madeColumn))
  return groups.map(({ keyFilter, ...group }) => {
    if (!change || !entity) return { ...group, filter: null }
    const isKnown = (filter: FaultFilter) =>
      filter.every(({ field }) => !made.has(field) && isSearchable(entity, field))
    const filter = [group.filter, keyFilter].find((one) => one && isKnown(one))
    const { renames } = change
    const former = (name: string) => renames?.fields.find(({ to }) => to === name)?.from ?? name
    return {
      ...group,
      entity: renames?.formerName ?? entity.name,
      filter: filter ? filter.map((test) => ({ ...test, field: former(test.field) })) : null,
    }
  })
}

const isSearchable = ({ properties, open, extraFields }: Entity, field: string): boolean =>
  properties.some(({ name }) => name === field) || (open && extraFields.includes(field))

function madeColumn(step: DdlStep): string[] {
  switch (step.type) {
    case 'change-type':
    case 'move-extra':
    case 'fill-default':
      return [step.property.name]
    default:
      return []
  }
}
