import type { Deps } from '@/lib/runtime'
import type { Kind, Rules } from './definition'
import { findTarget } from './find-target'
import { findEntity } from './registry'
import { type OperatorName, operatorsOf } from './search/operators'

/** A field as a filter builder or a form needs it. */
export type ColumnDescription = {
  name: string
  label: string | null
  description: string | null
  /** As declared; of undeclared fields `json`. */
  type: string
  kind: Kind
  key: boolean
  /** Part of the schema; the others were only seen in records. */
  declared: boolean
  /** Answered only when `fields` names it. */
  hidden: boolean
  operators: OperatorName[]
  rules: Partial<Rules>
}

/** Every field that searches of the entity may name. Throws as `findTarget` does. */
export async function describeColumns(deps: Deps, name: string): Promise<ColumnDescription[]> {
  const target = await findTarget(deps, name)
  const properties = target.system ? [] : (await findEntity(deps, name)).properties
  const declared = target.fields.map(({ name, kind, hidden = false }): ColumnDescription => {
    const property = properties.find((property) => property.name === name)
    return {
      name,
      label: property?.label ?? null,
      description: property?.description ?? null,
      type: property?.type ?? kind,
      kind,
      key: target.keys.includes(name),
      declared: true,
      hidden,
      operators: operatorsOf(kind),
      rules: property?.rules ?? {},
    }
  })
  const names = new Set(declared.map(({ name }) => name))
  return [...declared, ...target.extraFields.filter((name) => !names.has(name)).map(undeclared)]
}

const undeclared = (name: string): ColumnDescription => ({
  name,
  label: null,
  description: null,
  type: 'json',
  kind: 'json',
  key: false,
  declared: false,
  hidden: false,
  operators: operatorsOf('json'),
  rules: {},
})
