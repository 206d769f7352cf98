import { isJsonKind, KIND_NAMES } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { suggestion } from '@/lib/values/nearest'
import { AUDIT_FIELDS, type Entity, type KeyDefinition } from './definition'
import { type FileDetail, fault } from './definition-faults'

/** Mismatches between an entity's definition and its schema; pointers are into the former. */
export const entityFaults = (entity: Entity): FileDetail[] => [
  ...entity.definition.keys.flatMap((key, index) => keyFaults(entity, key, `/pks/${index}`)),
  ...entity.definition.indexes.flatMap(({ fields }, index) =>
    fields.flatMap((name, at) => indexFault(entity, name, `/indexes/${index}/fields/${at}`) ?? []),
  ),
  ...(entity.definition.auditable ? auditFaults(entity) : []),
  ...distributionFaults(entity),
]

function distributionFaults({ name, keys, definition }: Entity): FileDetail[] {
  const { distribution } = definition
  if (distribution === undefined || typeof distribution === 'string') return []
  const { by, with: beside } = distribution
  if (beside === name)
    return [fault('/distribution/with', 'Names the entity itself; leave it out', beside)]
  if (keys.includes(by)) return []
  const message = `A node can tell whether a key is taken only by a part of it: distribute by ${keys.join(' or ')}, or make ${by} a key too`
  return [fault('/distribution/by', message, by)]
}

function keyFaults(entity: Entity, { key, strategy }: KeyDefinition, pointer: string) {
  const faults: FileDetail[] = []
  const property = entity.properties.find(({ name }) => name === key)
  const clash = declaredAs(entity, key)
  if (clash) faults.push(fault(`${pointer}/key`, `"${key}" clashes with the property "${clash}"`))
  if (property?.rules.reference?.onDelete === 'setNull')
    faults.push(fault(`${pointer}/key`, `${key} is a key, so its reference can't be setNull`))
  if (property?.rules.computed !== undefined)
    faults.push(fault(`${pointer}/key`, `${key} is a key, so it can't be computed`))
  if (property && !KINDS[property.kind].keyStrategies.includes(strategy)) {
    const possible = KIND_NAMES.filter((kind) => KINDS[kind].keyStrategies.includes(strategy))
    const message = `The schema says that ${key} is ${property.type}; ${strategy} needs ${possible.join(' or ')}`
    faults.push(fault(`${pointer}/strategy`, message, strategy))
  }
  return faults
}

function indexFault({ properties }: Entity, name: string, pointer: string): FileDetail | null {
  const property = properties.find((candidate) => candidate.name === name)
  if (!property) {
    const hint = suggestion(
      name,
      properties.map((candidate) => candidate.name),
    )
    return fault(pointer, `There is no property "${name}"${hint}`, name)
  }
  return isJsonKind(property.kind)
    ? fault(pointer, `${name} is ${property.type}, which has no order`, name)
    : null
}

function auditFaults({ schema, definition }: Entity): FileDetail[] {
  const declared = schema?.properties ?? []
  return AUDIT_FIELDS.flatMap((field) => {
    const kind = field.endsWith('At') ? 'datetime' : 'text'
    const same = (name: string) => name.toLowerCase() === field.toLowerCase()
    const taken = [...declared, ...definition.keys.map(({ key }) => ({ name: key, kind: 'key' }))]
    const clash = taken.find(({ name }) => same(name))
    if (!clash || (clash.name === field && clash.kind === kind)) return []
    const message = `Adds ${field} (${kind}), which clashes with "${clash.name}"`
    return [fault('/auditable', message, true)]
  })
}

/** The declared property whose name differs from `key` only in case. */
const declaredAs = ({ schema }: Entity, key: string): string | undefined =>
  schema?.properties.find(({ name }) => name !== key && name.toLowerCase() === key.toLowerCase())
    ?.name
