import type { Entity } from '@/lib/definitions/definition'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { isObject, type Json } from '@/lib/values/json'
import { entitiesOf } from './policy-faults'

/** A declared field of an entity that a policy names, and where. */
type UsedField = { entity: string; field: string; place: string }

/** The declared fields that a policy names, those of referred entities too. */
export function usedFields(definition: PolicyDefinition, entities: readonly Entity[]): UsedField[] {
  const paths = pathsIn(definition)
  return entitiesOf(definition, entities).flatMap((entity) =>
    paths.flatMap(({ path, place }) =>
      fieldsOn(path.split('.'), entity, entities).map((used) => ({ ...used, place })),
    ),
  )
}

type Path = { path: string; place: string }

function pathsIn({ where = [], check = [], fields = [], set = {} }: PolicyDefinition): Path[] {
  const [names, at] = Array.isArray(fields) ? [fields, 'fields'] : [fields.except, 'fields.except']
  return [
    ...conditionPaths(where, 'where'),
    ...conditionPaths(check, 'check'),
    ...names.map((path, index) => ({ path, place: `${at}.${index}` })),
    ...Object.keys(set).map((path) => ({ path, place: `set.${path}` })),
  ]
}

const conditionPaths = (list: readonly Json[], at: string): Path[] =>
  list.flatMap((condition, index) => {
    if (!isObject(condition)) return []
    const { field, filters } = condition
    const place = `${at}.${index}`
    if (Array.isArray(filters)) return conditionPaths(filters, `${place}.filters`)
    return typeof field === 'string' ? [{ path: field, place: `${place}.field` }] : []
  })

/** Follows references from `entity`. */
function fieldsOn(
  [name, ...rest]: string[],
  entity: Entity,
  entities: readonly Entity[],
): Omit<UsedField, 'place'>[] {
  const property = entity.properties.find((one) => one.name === name)
  if (!property) return []
  const used = { entity: entity.name, field: property.name }
  const referred = entities.find((one) => one.name === property.rules.reference?.entity)
  return rest.length > 0 && referred ? [used, ...fieldsOn(rest, referred, entities)] : [used]
}
