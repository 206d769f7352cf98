import type { ValidateFunction } from 'ajv'
import type { Entity, Property } from '@/lib/definitions/definition'
import type { Json } from '@/lib/values/json'
import { normaliseTime, parseDate, parseDatetime } from '@/lib/values/parse-datetime'
import { compileRecordSchema } from './record-ajv'
import { checkedProperties, type RuleSet, recordSchema } from './record-schema'

/** Converts an incoming value that is stored in another form. */
type Convert = (value: Json) => Json

/** A field that records can set. */
export type Field = { property: Property; convert: Convert | null }

export type CompiledEntity = {
  /** By name; all other fields are undeclared. */
  fields: Map<string, Field>
  /** Names that reads return and writes ignore, so that a record can be sent back as it was read. */
  overlooked: Set<string>
  validate: (ruleSet: RuleSet) => ValidateFunction
}

const compiled = new WeakMap<Entity, CompiledEntity>()

/** Made once for each `Entity` object; the registry makes a new one when the definition changes. */
export function compileEntity(entity: Entity): CompiledEntity {
  const known = compiled.get(entity)
  if (known) return known
  const made = compile(entity)
  compiled.set(entity, made)
  return made
}

function compile(entity: Entity): CompiledEntity {
  const settable = checkedProperties(entity)
  const fields = settable.map((property): [string, Field] => [
    property.name,
    { property, convert: converterOf(property) },
  ])
  const served = entity.properties.filter((property) => !settable.includes(property))
  const validators = new Map<RuleSet, ValidateFunction>()
  return {
    fields: new Map(fields),
    overlooked: new Set(['persistenceId', ...served.map(({ name }) => name)]),
    validate: (ruleSet) => {
      const validator =
        validators.get(ruleSet) ?? compileRecordSchema(recordSchema(entity, ruleSet))
      validators.set(ruleSet, validator)
      return validator
    },
  }
}

/** For values that passed the validation. */
function converterOf({ kind, type }: Property): Convert | null {
  if (kind === 'datetime') return parseDatetime
  if (kind === 'date') return parseDate
  if (kind === 'time') return normaliseTime
  return type === 'bit' ? (value) => value === true || value === 1 : null
}

/** The defaults of the declared fields, as they are stored. */
export function defaultsOf(entity: Entity): Map<string, Json> {
  const { fields } = compileEntity(entity)
  const defaults = new Map<string, Json>()
  for (const [name, { property, convert }] of fields) {
    const value = property.rules.default
    if (value === undefined || value === null) continue
    defaults.set(name, convert ? convert(value) : value)
  }
  return defaults
}
