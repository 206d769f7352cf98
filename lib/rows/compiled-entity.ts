import { randomUUID } from 'node:crypto'
import type { ValidateFunction } from 'ajv'
import type { Entity, Property } from '@/lib/definitions/definition'
import { isAnyJsonKind, isWholeKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { canonicalNumber } from '@/lib/values/canonical-number'
import { type Json, type JsonObject, literalOf } from '@/lib/values/json'
import { compileRecordSchema } from './check/record-ajv'
import { acceptsText, checkedProperties, type RuleSet, recordSchema } from './record-schema'

/** Converts an incoming value, which passed the validation, to the form in which it is stored. */
type Convert = (value: Json) => Json

/** A field that records can set. */
export type Field = { property: Property; convert: Convert | null }

export type CompiledEntity = {
  /** By name; all other fields are undeclared. */
  fields: Map<string, Field>
  /** Names that reads return and writes ignore, so that a record can be sent back as it was read. */
  overlooked: Set<string>
  /** Names that reads return and writes refuse. */
  computed: Set<string>
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
    { property, convert: KINDS[property.kind].stored(property.type) },
  ])
  const others = entity.properties.filter((property) => !settable.includes(property))
  const computed = others.filter(({ rules }) => rules.computed !== undefined)
  const served = others.filter((property) => !computed.includes(property))
  const validators = new Map<RuleSet, ValidateFunction>()
  return {
    fields: new Map(fields),
    computed: new Set(computed.map(({ name }) => name)),
    overlooked: new Set(['persistenceId', ...served.map(({ name }) => name)]),
    validate: (ruleSet) => {
      const validator =
        validators.get(ruleSet) ?? compileRecordSchema(recordSchema(entity, ruleSet))
      validators.set(ruleSet, validator)
      return validator
    },
  }
}

/**
 * Gives marked numbers (see `literalOf`) the form of their field: the digits as text where
 * none may be lost, otherwise a double. In JSON and in undeclared fields they stay marked.
 */
export function settleNumbers(record: JsonObject, { fields }: CompiledEntity): JsonObject {
  let settled = record
  for (const name of Object.keys(record)) {
    const literal = literalOf(record[name])
    const field = literal === null ? undefined : fields.get(name)
    if (literal === null || !field || isAnyJsonKind(field.property.kind)) continue
    if (settled === record) settled = { ...record }
    settled[name] = settle(literal, field)
  }
  return settled
}

function settle(literal: string, { property }: Field): Json {
  if (!acceptsText(property)) return Number(literal)
  const exponent = /[eE](.*)/.exec(literal)?.[1]
  const isShort = literal.length <= 400 && Math.abs(Number(exponent ?? 0)) <= 400
  // A whole number may be sent as `1e3` or `1.0`.
  const isRespelt = exponent !== undefined || isWholeKind(property.kind)
  return isRespelt && isShort ? canonicalNumber(literal) : literal
}

/** The default of a field as it is stored, or what makes one for each record. */
export type Default = Json | (() => Json)

/** The defaults of the declared fields. The time is that of the call, the same for all its records. */
export function defaultsOf(entity: Entity): Map<string, Default> {
  const { fields } = compileEntity(entity)
  const defaults = new Map<string, Default>()
  for (const [name, { property, convert }] of fields) {
    const { default: value, generates } = property.rules
    if (generates === 'uuid') defaults.set(name, () => randomUUID())
    else if (generates === 'now') defaults.set(name, presentTime(property))
    else if (value !== undefined && value !== null)
      defaults.set(name, convert ? convert(value) : value)
  }
  return defaults
}

function presentTime({ kind }: Property): string {
  const now = new Date().toISOString()
  return KINDS[kind].now?.text(now) ?? now
}

/** The defaults that a replacement sets: values that were generated are kept. */
export function replacingDefaults(entity: Entity): Map<string, Default> {
  const { fields } = compileEntity(entity)
  return new Map(
    [...defaultsOf(entity)].filter(([name]) => !fields.get(name)?.property.rules.generates),
  )
}
