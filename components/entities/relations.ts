import { fieldLabel } from '@/components/data-table/field-label'
import type { LinkedEntity, ReferringField } from '@/lib/tables/column-contract'

/** Records of another entity that each record has: those that refer to it, or that a link lists. */
export type Relation = { name: string; label: string; entity: string }

type Described = { meta: Record<string, unknown> }

/** Of the response that describes an entity's fields. */
export function relationsOf(response?: Described): Relation[] {
  const links = linksOf(response)
  const referring = (response?.meta.referencedBy as ReferringField[] | undefined) ?? []
  return [
    ...links.map(({ relation, entity }) => toRelation(relation, entity)),
    ...referring.flatMap((each) => {
      const { entity, relation } = each
      return relation === undefined
        ? []
        : [toRelation(relation, entity, usualLabel(each, relation))]
    }),
  ]
}

/** The lists of linked records; of the same response. */
export const linksOf = (response?: Described): LinkedEntity[] =>
  (response?.meta.links as LinkedEntity[] | undefined) ?? []

function toRelation(name: string, entity: string, label?: string): Relation {
  return { name, entity, label: label ?? fieldLabel({ name, label: null }) }
}

/** `Order by Customer`, unless the reference says what its other direction is called. */
function usualLabel({ entity, field, label }: ReferringField, relation: string) {
  const isUsual = relation.startsWith(`${entity}By`)
  return isUsual ? `${entity} by ${fieldLabel({ name: field, label })}` : undefined
}
