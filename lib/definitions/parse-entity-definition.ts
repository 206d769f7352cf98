import type { z } from 'zod'
import type { Json } from '@/lib/values/json'
import type { EntityDefinition, IndexDefinition, KeyDefinition } from './definition'
import { check, type FileDetail, fault, type Parsed } from './definition-faults'
import { type EntityInput, entityInput } from './entity-input'
import { formerNameFaults } from './former-names'
import { hasFieldsOf } from './map-display'
import {
  clashes,
  entityNameFault,
  identifierFault,
  propertyNameFault,
  tableSchemaFault,
} from './names'
import { tableNameOf } from './table-name'
import { toUniqueRule } from './unique-input'
import { unstorableText } from './unstorable-text'

const ALLOW_ALL = { read: true, write: true, update: true, delete: true }

/**
 * Reads an entity definition and fills in every default. `entityFaults` finds the
 * faults that depend on its schema (index fields, types of keys).
 */
export function parseEntityDefinition(json: Json): Parsed<EntityDefinition> {
  const unstorable = unstorableText(json)
  if (unstorable.length > 0) return { faults: unstorable }
  const found = check<EntityInput>(entityInput as z.ZodType<EntityInput>, json)
  if ('faults' in found) return found
  const definition = normalise(found.data)
  const faults = [...nameFaults(definition), ...displayFaults(definition)]
  return faults.length > 0 ? { faults } : { definition }
}

function normalise(written: EntityInput): EntityDefinition {
  const { name, description } = written
  return {
    name,
    ...(description ? { description } : {}),
    ...formerNamesOf(written),
    engineSchema: written.engineSchema,
    table: {
      schema: written.dbSchema ?? 'entities',
      name: written.dbTable ?? tableNameOf(name),
    },
    keys: normaliseKeys(written.pks ?? []),
    insertDuplicate: written.insertDuplicate ?? 'Error',
    updateStrategy: written.updateStrategy ?? 'Upsert',
    permissions: written.permissions ?? ALLOW_ALL,
    auditable: written.auditable ?? false,
    indexes: normaliseIndexes(written),
    ...(written.history ? { history: true } : {}),
    ...(written.events ? { events: true } : {}),
    ...(written.link ? { link: true } : {}),
    ...displayOf(written),
    ...distributionOf(written),
  }
}

function distributionOf({ distribution }: EntityInput): Pick<EntityDefinition, 'distribution'> {
  if (distribution == null) return {}
  if (typeof distribution === 'string') return { distribution }
  const { by, with: beside } = distribution
  return { distribution: { by, ...(beside ? { with: beside } : {}) } }
}

function displayOf({ display }: EntityInput): Pick<EntityDefinition, 'display'> {
  if (display == null) return {}
  const stated = Object.entries(display).filter(([, value]) => value != null)
  return stated.length > 0 ? { display: Object.fromEntries(stated) } : {}
}

function normaliseIndexes({ indexes, unique }: EntityInput): IndexDefinition[] {
  const declared = (indexes ?? []).map((index) => ({
    ...toUniqueRule(index),
    unique: index.unique ?? false,
  }))
  return [...declared, ...(unique ?? []).map((rule) => ({ ...toUniqueRule(rule), unique: true }))]
}

function normaliseKeys(written: NonNullable<EntityInput['pks']>): KeyDefinition[] {
  if (written.length === 0) return [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
  return written.map(({ key, strategy, type, renamedFrom }) => {
    const chosen = strategy ?? 'AutoIncrement'
    return {
      key,
      strategy: chosen,
      type: type ?? (chosen === 'AutoIncrement' ? 'number' : 'string'),
      ...formerNamesOf({ renamedFrom }),
    }
  })
}

function formerNamesOf({ renamedFrom }: Pick<EntityInput, 'renamedFrom'>) {
  const names = renamedFrom == null ? [] : [renamedFrom].flat()
  return names.length > 0 ? { renamedFrom: [...new Set(names)] } : {}
}

function nameFaults(definition: EntityDefinition): FileDetail[] {
  const { name, engineSchema, table, keys, indexes } = definition
  const nameFault = faultOf('/name', name, entityNameFault(name))
  const isTableNamed = table.name !== tableNameOf(name)
  const found: (FileDetail | null)[] = [
    nameFault,
    nameFault && !isTableNamed
      ? null
      : faultOf('/dbTable', table.name, identifierFault(table.name)),
    faultOf('/dbSchema', table.schema, tableSchemaFault(table.schema)),
    engineSchema === null
      ? null
      : faultOf('/engineSchema', engineSchema, identifierFault(engineSchema)),
    ...keys.flatMap(({ key, strategy, type }, index) => [
      faultOf(`/pks/${index}/key`, key, propertyNameFault(key)),
      strategy === 'UUID' && type === 'number'
        ? fault(`/pks/${index}/type`, 'A UUID is text; set the type to "string"', type)
        : null,
    ]),
    ...formerNameFaults(name, definition.renamedFrom, '/renamedFrom', []),
    ...keys.flatMap(({ key, renamedFrom }, index) =>
      formerNameFaults(key, renamedFrom, `/pks/${index}/renamedFrom`, keys.map(keyName)),
    ),
    ...clashes(keys.map(({ key }) => key)).map(([index, earlier]) =>
      fault(`/pks/${index}/key`, `Clashes with the key "${keys[earlier]?.key}"`),
    ),
    ...indexes.flatMap(({ fields }, index) =>
      clashes(fields).map(([at]) =>
        fault(`/indexes/${index}/fields/${at}`, 'Is named twice', fields[at]),
      ),
    ),
  ]
  return found.filter((one) => one !== null)
}

/** What is wrong with the display by itself; `entityFaults` compares it with the fields. */
function displayFaults({ display = {} }: EntityDefinition): FileDetail[] {
  const { columns = [], form, latitude, longitude } = display
  const isHalf = (latitude === undefined) !== (longitude === undefined)
  const half = latitude === undefined ? 'latitude' : 'longitude'
  return [
    ...clashes(columns).map(([at]) =>
      fault(`/display/columns/${at}`, 'Is named twice', columns[at]),
    ),
    ...(isHalf
      ? [fault(`/display/${half}`, 'Is missing; a place is a latitude and a longitude')]
      : []),
    ...(form && !hasFieldsOf(form, display)
      ? [fault('/display/form', `Needs ${FIELDS_OF[form]} of the display`, form)]
      : []),
  ]
}

const FIELDS_OF = {
  table: '',
  cards: 'the "image"',
  calendar: 'the "date"',
  map: 'a "place", or "latitude" and "longitude",',
}

const keyName = ({ key }: KeyDefinition) => key

const faultOf = (pointer: string, name: string, wrong: string | null) =>
  wrong === null ? null : fault(pointer, wrong, name)
