import { operatorsOf } from '@/lib/definitions/operators'
import type { Deps } from '@/lib/deps'
import { findEntity } from '@/lib/registry/registry'
import type { ColumnDescription } from './column-contract'
import { findTarget } from './find-target'

/** Every field that searches of the entity can name. Throws as `findTarget` does. */
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
