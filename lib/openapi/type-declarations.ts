import type { Entity, Property } from '@/lib/definitions/definition'
import { isAnyJsonKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { recordSchema } from '@/lib/rows/record-schema'
import type { Json } from '@/lib/values/json'
import type { DescribedEntity, EntityViews } from './entity-views'

/**
 * TypeScript declarations of entities: a returned record, a new one and a change of one,
 * and `Entities`, which maps their names to them. Undeclared fields have a type where
 * the entity keeps them.
 */
export function typeDeclarations(entities: readonly EntityViews[]): string {
  const taken = new Set(RESERVED)
  // Entities get their names first, so that another one's `New…` type never renames an entity.
  const named = entities.map((views) => ({ views, record: unique(views.read.name, taken) }))
  const parts = named.map(({ views, record }) => {
    const { name } = views.read
    const names = {
      record,
      new: unique(`New${name}`, taken),
      change: unique(`${name}Change`, taken),
    }
    return { name, names, text: declarationsOf(views, names) }
  })
  const index = parts.map(
    ({ name, names }) =>
      `  ${name}: { record: ${names.record}; new: ${names.new}; change: ${names.change} }\n`,
  )
  const all = `${doc(['Every entity, by its name.'])}export interface Entities {\n${index.join('')}}\n`
  return [HEADER, ...parts.map(({ text }) => text), all].join('\n')
}

type Names = { record: string; new: string; change: string }

function declarationsOf({ read, write, update }: EntityViews, names: Names): string {
  const { name, definition, schema } = read
  const about = [schema?.label, definition.description ?? schema?.description]
  const id = '  /** The id in the address of the record. */\n  persistenceId: string\n'
  return [
    interfaceOf(names.record, about, read, returnedMembers(read), id),
    interfaceOf(names.new, [`A new record of ${name}.`], write, sentMembers(write, 'whole')),
    interfaceOf(
      names.change,
      [`Fields of ${name} that change.`],
      update,
      sentMembers(update, 'partial'),
    ),
  ].join('\n')
}

function interfaceOf(
  name: string,
  about: (string | undefined)[],
  { open }: Entity,
  members: Member[],
  more = '',
): string {
  const fields = members.map(
    ({ property, type, optional }) =>
      `${doc(aboutField(property), '  ')}  ${property.name}${optional ? '?' : ''}: ${type}\n`,
  )
  const undeclared = open ? '  [undeclared: string]: Json | undefined\n' : ''
  return `${doc(about)}export interface ${name} {\n${fields.join('')}${more}${undeclared}}\n`
}

const aboutField = ({ label, description, rules: { reference } }: Property) => [
  label,
  description,
  reference && `Refers to \`${reference.field}\` of ${reference.entity}.`,
]

/** A comment of the non-empty lines; their text can't end it. */
function doc(lines: (string | undefined)[], indent = ''): string {
  const known = lines.filter((line) => line !== undefined && line.trim() !== '') as string[]
  if (known.length === 0) return ''
  const text = known
    .join('\n')
    .replaceAll('*/', '*\\/')
    .split(/[\r\n\u2028\u2029]+/)
  if (text.length === 1) return `${indent}/** ${text[0]} */\n`
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function unique(wanted: string, taken: Set<string>): string {
  const name = taken.has(wanted) ? unique(`${wanted}_`, taken) : wanted
  taken.add(name)
  return name
}

const HEADER = `/** What JSON can hold. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json | undefined }
`

/** Names that an interface can't have, and our own. */
const RESERVED = `Json JsonObject Entities NonNullable
any as async await bigint boolean break case catch class const constructor continue debugger declare
default delete do else enum export extends false finally for from function get if implements import
in instanceof interface intrinsic is keyof let module namespace never new null number object of package
private protected public readonly require return set static string super switch symbol this throw
true try type typeof undefined unique unknown using var void while with yield`.split(/\s+/)

/** A member of an interface: its type, and whether it is optional. */
type Member = { property: Property; type: string; optional: boolean }

/** The fields of a returned record. */
const returnedMembers = ({ properties, keys, shownInSome }: DescribedEntity): Member[] =>
  properties.map((property) => {
    const { kind, rules, name } = property
    const nullable = !(rules.required || keys.includes(name)) && !isAnyJsonKind(kind)
    const type = unionOf(rules.enum) ?? KINDS[kind].typescript
    const optional = shownInSome?.has(name) ?? false
    return { property, type: nullable ? `${type} | null` : type, optional }
  })

const SENT: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'Json[]',
  null: 'null',
}

/** The fields of a sent record, from the schema that checks it. */
function sentMembers(entity: Entity, rules: 'whole' | 'partial'): Member[] {
  const schema = recordSchema(entity, rules)
  const required = new Set(schema.required as string[])
  const checked = schema.properties as Record<string, { type: string | string[] }>
  return entity.properties.flatMap((property) => {
    const types = checked[property.name]?.type
    if (!types) return []
    const type = sentType(property, [types].flat())
    return [{ property, type, optional: !required.has(property.name) }]
  })
}

function sentType({ kind, rules }: Property, types: string[]): string {
  if (isAnyJsonKind(kind)) return types.includes('null') ? 'Json' : 'NonNullable<Json>'
  const values = unionOf(rules.enum)
  if (values) return types.includes('null') ? `${values} | null` : values
  const names = types.map((type) => (type === 'object' ? KINDS[kind].typescriptObject : SENT[type]))
  return [...new Set(names)].join(' | ')
}

/** `"a" | "b"`, or null where a value has no literal. */
function unionOf(values: Json[] | undefined): string | null {
  if (!values?.length || values.some((value) => value !== null && typeof value === 'object'))
    return null
  return [...new Set(values)].map((value) => JSON.stringify(value)).join(' | ')
}
