import type { ResourceSchema } from '@/lib/scim/attributes'
import type { PatchBody } from '@/lib/scim/contract'
import { type Filter, parseFilter } from '@/lib/scim/parse-filter'
import { scimError } from '@/lib/scim/scim-error'
import { type AttributePlace, resolvePath, splitUrn } from '@/lib/scim/values/resolve-path'
import { isObject, type Json } from '@/lib/values/json'

type Sent = PatchBody['Operations'][number]

/** One change of one attribute; `filter` chooses among its values. */
export type Operation = {
  op: 'add' | 'replace' | 'remove'
  place: AttributePlace
  filter: Filter | null
  value: Json | undefined
}

/**
 * The changes that an operation asks for: one by its path, or each of its value. Identity providers write the operators
 * in any case, and keys with dots and URNs in a value without a path. Throws `invalidSyntax`, `invalidPath`,
 * `mutability` for what is read-only, and `noTarget`.
 */
export function readOperation(sent: Sent, schema: ResourceSchema): Operation[] {
  const op = sent.op.toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw scimError('invalidSyntax', `There is no operation "${sent.op.slice(0, 50)}"`)
  const value = sent.value as Json | undefined
  if (sent.path !== undefined && sent.path !== '') return [readPath(op, sent.path, value, schema)]
  if (op === 'remove') throw scimError('noTarget', 'A removal needs a path')
  if (!isObject(value))
    throw scimError('invalidSyntax', 'An operation without a path needs an object as its value')
  return readEntries(op, value, schema)
}

function readEntries(
  op: 'add' | 'replace',
  value: Record<string, Json>,
  schema: ResourceSchema,
): Operation[] {
  return Object.entries(value).flatMap(([key, item]): Operation[] => {
    const urn = urnOf(key, schema)
    if (urn !== undefined && isObject(item)) return readEntries(op, prefixed(urn, item), schema)
    const place = resolvePath(key.split('[')[0] ?? '', schema)
    // A whole resource is sent too, with its id and meta.
    if (place?.attribute.mutability === 'readOnly') return []
    return [readPath(op, key, item, schema)]
  })
}

/** The URN of an extension, or of the schema itself, that `key` is. */
const urnOf = (key: string, { urn, extensions }: ResourceSchema) =>
  [urn, ...Object.keys(extensions)].find((known) => known.toLowerCase() === key.toLowerCase())

const prefixed = (urn: string, value: Record<string, Json>) =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [`${urn}:${key}`, item]))

const MAX_PATH = 1_000

function readPath(
  op: Operation['op'],
  path: string,
  value: Json | undefined,
  schema: ResourceSchema,
): Operation {
  if (path.length > MAX_PATH) throw scimError('invalidPath', `The path is longer than ${MAX_PATH}`)
  const { urn, rest } = splitUrn(path, schema)
  const [, name = '', , condition, part] =
    /^([^[\]]+)(\[([\s\S]*)\](?:\.([\w$-]+))?)?$/.exec(rest) ?? []
  const plain = part === undefined ? name : `${name}.${part}`
  const place = resolvePath(urn === null ? plain : `${urn}:${plain}`, schema)
  if (!place)
    throw scimError('invalidPath', `There is no attribute "${path.slice(0, 100)}" to change`)
  if (place.attribute.mutability === 'readOnly' || place.sub?.mutability === 'readOnly')
    throw scimError('mutability', `${path.slice(0, 100)} is read-only`)
  if (condition !== undefined && !place.attribute.multiValued)
    throw scimError('invalidPath', `${name} has one value, so nothing chooses among its values`)
  return { op, place, filter: condition === undefined ? null : parseFilter(condition), value }
}
