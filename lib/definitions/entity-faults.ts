import {
  isJsonKind,
  isListKind,
  isNumberKind,
  isPlaceKind,
  isTextKind,
  KIND_NAMES,
} from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { suggestion } from '@/lib/values/nearest'
import { AUDIT_FIELDS, type Entity, type KeyDefinition, type Property } from './definition'
import { type FileDetail, fault } from './definition-faults'
import { DISPLAY_ROLES, type DisplayRole, type EntityDisplay } from './display'
import { linkFaults } from './link'
import { mapDisplay } from './map-display'

/** Mismatches between an entity's definition and its schema; pointers are into the former. */
export const entityFaults = (entity: Entity): FileDetail[] => [
  ...entity.definition.keys.flatMap((key, index) => keyFaults(entity, key, `/pks/${index}`)),
  ...entity.definition.indexes.flatMap(({ fields }, index) =>
    fields.flatMap((name, at) => indexFault(entity, name, `/indexes/${index}/fields/${at}`) ?? []),
  ),
  ...displayFaults(entity),
  ...(entity.definition.auditable ? auditFaults(entity) : []),
  ...distributionFaults(entity),
  ...linkFaults(entity),
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

/** The display without fields that the schema no longer has, or that can no longer be what they are named for. */
export function presentDisplay(entity: Entity): EntityDisplay | undefined {
  const { display } = entity.definition
  if (!display) return undefined
  const lost = displayFaults(entity)
  return mapDisplay(display, (name, role) => {
    const at = `/display/${role}`
    const isLost = lost.some(
      ({ pointer = '', value }) => value === name && `${pointer}/`.startsWith(`${at}/`),
    )
    return isLost ? null : name
  })
}

/** Fields of the display that do not exist, or can't be what they are named for. */
function displayFaults({ properties, definition: { display = {} } }: Entity): FileDetail[] {
  const names = properties.map(({ name }) => name)
  const missing = (name: string, pointer: string) =>
    names.includes(name)
      ? []
      : [fault(pointer, `There is no property "${name}"${suggestion(name, names)}`, name)]
  return [
    ...DISPLAY_ROLES.flatMap((role) => {
      const name = display[role]
      if (name === undefined) return []
      const property = properties.find((one) => one.name === name)
      if (!property) return missing(name, `/display/${role}`)
      const { fits, needs } = ROLES[role]
      const message = `${name} is ${property.type}; ${role === 'image' ? 'an image' : `a ${role}`} needs ${needs}`
      return fits(property) ? [] : [fault(`/display/${role}`, message, name)]
    }),
    ...(display.columns ?? []).flatMap((name, at) => missing(name, `/display/columns/${at}`)),
  ]
}

const NUMBER = { fits: ({ kind }: Property) => isNumberKind(kind), needs: 'a number' }

const ROLES: Record<DisplayRole, { fits: (property: Property) => boolean; needs: string }> = {
  title: {
    fits: ({ kind, rules }) => isTextKind(kind) && !rules.reference,
    needs: 'a text that is no reference',
  },
  image: {
    fits: ({ kind, rules }) => isTextKind(kind) || isJsonKind(kind) || Boolean(rules.reference),
    needs: 'a text, a list or a reference',
  },
  date: { fits: ({ kind }) => KINDS[kind].now !== null, needs: 'a date or a datetime' },
  place: {
    fits: ({ kind }) => isJsonKind(kind) && !isListKind(kind),
    needs: 'an object',
  },
  latitude: NUMBER,
  longitude: NUMBER,
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
    ? fault(pointer, `${name} is ${property.type}, which has no order${inItself(property)}`, name)
    : null
}

const inItself = ({ kind }: Property): string =>
  isPlaceKind(kind) ? '; its property says "indexed": true for the conditions near and within' : ''

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
