import { AUDIT_FIELDS, type Entity, type Property } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { valueFault } from '@/lib/definitions/value-fault'
import type { Validation } from '@/lib/errors'
import { isTextKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { ME } from '@/lib/search/actor-values'
import { ID_FIELD } from '@/lib/search/resolve-field'
import { MAX_FIELD_TESTS } from '@/lib/search/rule-size'
import { isObject, type Json } from '@/lib/values/json'
import { relativeTime } from '@/lib/values/relative-time'
import { unknownName } from '@/lib/values/unknown-name'
import { conditionFaults, isOfProfile } from './condition-faults'

/**
 * What is wrong with a policy among the installed entities, with its place (`where.2.field`): names, operators and
 * values of what it limits, at most 100. An entity that is not installed is harmless, and left to `unknownEntities`.
 * `onlyDeclared`: undeclared fields of open entities are unknown. `concerned`: of the entities that it is about, those to look at.
 */
export function policyFaults(
  definition: PolicyDefinition,
  entities: readonly Entity[],
  { onlyDeclared = false, concerned = entitiesOf(definition, entities) } = {},
): Validation[] {
  if (!isLimited(definition)) return []
  const isOpen = (entity: Entity) => entity.open && !onlyDeclared
  const faults = concerned.flatMap((entity) => {
    const found = [
      ...conditionFaults('where', definition.where ?? [], entity, entities),
      ...conditionFaults('check', definition.check ?? [], entity, entities),
      ...fieldFaults(definition, entity, isOpen(entity)),
      ...sizeFaults(definition, entity),
      ...setFaults(definition, entity, isOpen(entity)),
    ]
    const of = concerned.length > 1 ? ` (in ${entity.name})` : ''
    return found.map(({ field, error }) => ({ field, error: error + of }))
  })
  return [...faultsOfDenial(definition), ...faults].slice(0, MAX_FAULTS)
}

const MAX_FAULTS = 100

/** Whether it says anything of rows, fields or values, which has to fit its entities. */
export const isLimited = ({ where, fields, set, check }: PolicyDefinition): boolean =>
  [where, fields, set, check].some((limit) => limit !== undefined)

/** The installed entities that a policy is about; names are compared as `decide` does. */
export const entitiesOf = (
  { entities: names }: Pick<PolicyDefinition, 'entities'>,
  entities: readonly Entity[],
): Entity[] => {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  return entities.filter(({ name }) => wanted.has('*') || wanted.has(name.toLowerCase()))
}

/** A fault for each name of no installed entity. */
export function unknownEntities(
  { entities: names }: Pick<PolicyDefinition, 'entities'>,
  entities: readonly Entity[],
): Validation[] {
  const known = entities.map(({ name }) => name)
  const folded = new Set(['*', ...known.map((name) => name.toLowerCase())])
  return names.flatMap((name, at) =>
    folded.has(name.toLowerCase()) || isSystemEntity(name)
      ? []
      : [{ field: `entities.${at}`, error: unknownName('entity', name, known) }],
  )
}

const faultsOfDenial = ({ allow, set, check }: PolicyDefinition): Validation[] =>
  allow
    ? []
    : Object.entries({ set, check }).flatMap(([field, value]) =>
        value === undefined
          ? []
          : [{ field, error: 'Belongs to policies that allow; this one denies' }],
      )

function fieldFaults({ fields }: PolicyDefinition, entity: Entity, isOpen: boolean): Validation[] {
  if (!fields || isOpen) return []
  const [names, at] = Array.isArray(fields) ? [fields, 'fields'] : [fields.except, 'fields.except']
  const known = [...entity.properties.map(({ name }) => name), ID_FIELD]
  return names.flatMap((name, index) =>
    known.includes(name)
      ? []
      : [{ field: `${at}.${index}`, error: unknownName('field', name, known) }],
  )
}

/** Of a denial that says more of single fields than can be carried out; what is allowed may be the same for each field. */
function sizeFaults({ allow, where = [], fields }: PolicyDefinition, entity: Entity): Validation[] {
  if (allow || !fields) return []
  const names = Array.isArray(fields)
    ? fields
    : entity.properties.map(({ name }) => name).filter((name) => !fields.except.includes(name))
  const [tests, count] = [testsIn(where), new Set(names).size]
  if (tests * count <= MAX_FIELD_TESTS) return []
  const error = `Hides ${count} fields by ${tests} conditions each; the product is at most ${MAX_FIELD_TESTS}`
  return [{ field: 'fields', error }]
}

const testsIn = (conditions: readonly Json[]): number =>
  conditions.reduce<number>(
    (sum, one) => sum + (isObject(one) && Array.isArray(one.filters) ? testsIn(one.filters) : 1),
    0,
  )

function setFaults({ set = {} }: PolicyDefinition, entity: Entity, isOpen: boolean): Validation[] {
  const kept = entity.definition.auditable ? new Set<string>(AUDIT_FIELDS) : new Set<string>()
  const written = entity.properties.filter(({ name }) => !kept.has(name))
  return Object.entries(set).flatMap(([name, value]) => {
    const property = written.find((one) => one.name === name)
    if (property) return setFault(property, value)
    if (isOpen && !kept.has(name)) return []
    const known = written.map((one) => one.name)
    const error = kept.has(name) ? 'Is kept by the server' : unknownName('field', name, known)
    return { field: `set.${name}`, error }
  })
}

function setFault(property: Property, value: Json): Validation[] {
  const why = whyNotSet(property, value)
  return why === null ? [] : [{ field: `set.${property.name}`, error: `"${property.name}" ${why}` }]
}

/** Why a policy can't give the property this value, or null; a value of a profile is known only when it is written. */
function whyNotSet(property: Property, value: Json): string | null {
  const { kind, rules } = property
  if (rules.computed !== undefined) return 'is computed of other fields'
  if (value === null) return rules.required ? 'must not be null' : null
  if (isOfProfile(value)) return null
  if (value === ME && isTextKind(kind)) return null
  if (KINDS[kind].now && typeof value === 'string' && relativeTime(value) !== null) return null
  return valueFault(property, value)
}
