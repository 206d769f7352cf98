import { type Attribute, findAttribute, type ResourceSchema } from '@/lib/scim/attributes'

/** An attribute by its place in a resource: the URN of its extension, or null, the attribute, and a part of it. */
export type AttributePlace = {
  urn: string | null
  attribute: Attribute
  sub: Attribute | null
}

/**
 * The attribute that `path` names, with or without the URN of its schema: `name.givenName`, `urn:…:User:department`. Names
 * are case-insensitive. Null for an unknown one.
 */
export function resolvePath(path: string, schema: ResourceSchema): AttributePlace | null {
  const { urn, rest } = splitUrn(path, schema)
  const known = urn === null ? schema.attributes : schema.extensions[urn]
  const [name = '', part, ...more] = rest.split('.')
  const attribute = findAttribute(known ?? [], name)
  if (!attribute || more.length > 0) return null
  if (part === undefined) return { urn, attribute, sub: null }
  const sub = findAttribute(attribute.subAttributes ?? [], part)
  return sub ? { urn, attribute, sub } : null
}

/** The URN of the extension that `path` begins with, or null, and what follows it. */
export function splitUrn(
  path: string,
  { urn: own, extensions }: ResourceSchema,
): { urn: string | null; rest: string } {
  const lower = path.toLowerCase()
  for (const urn of [own, ...Object.keys(extensions)])
    if (lower.startsWith(`${urn.toLowerCase()}:`))
      return { urn: urn === own ? null : urn, rest: path.slice(urn.length + 1) }
  return { urn: null, rest: path }
}
