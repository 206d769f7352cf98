import { type SQL, sql } from 'drizzle-orm'
import type { Attribute } from '@/lib/scim/attributes'
import type { AttributePlace } from '@/lib/scim/values/resolve-path'
import type { FilterField, FilterRows } from './filter-to-sql'

/** An attribute with one value in a JSON object of them; of a complex one without a part its `value`, or all. */
export function jsonField(attributes: SQL, { urn, attribute, sub }: AttributePlace): FilterField {
  const value = attribute.subAttributes?.find(({ name }) => name === 'value')
  const part = sub ?? value
  const path = [...(urn === null ? [] : [urn]), attribute.name, ...(part ? [part.name] : [])]
  return fieldOf(sql`(${attributes} #>> array[${listOf(path)}])`, part ?? attribute)
}

/** The values of an attribute, of which `list` is the JSON. */
export const jsonRows = (list: SQL, { subAttributes = [] }: Attribute): FilterRows => ({
  from: sql`from jsonb_array_elements(
    case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end) as item(part) where true`,
  field: (name) =>
    fieldOf(
      sql`(item.part ->> ${name}::text)`,
      subAttributes.find((known) => known.name === name),
    ),
})

function fieldOf(text: SQL, attribute: Attribute | undefined): FilterField {
  if (attribute?.type === 'boolean') return { type: 'boolean', value: sql`(${text})::boolean` }
  return { type: attribute?.caseExact ? 'exact' : 'text', value: text }
}

const listOf = (path: readonly string[]) =>
  sql.join(
    path.map((name) => sql`${name}::text`),
    sql`, `,
  )
