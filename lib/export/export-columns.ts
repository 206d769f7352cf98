import { type SQL, sql } from 'drizzle-orm'
import { MAX_EXTRA_FIELDS } from '@/lib/definitions/definition'
import { isJsonKind, isTextKind, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { keyFields } from '@/lib/search/order'
import { formatted, idSql } from '@/lib/search/record-json'
import { fieldResolver, ID_FIELD } from '@/lib/search/resolve-field'
import type { FieldRef, OutputField } from '@/lib/search/resolved'
import { columnSql, extraSql, jsonSql, jsonTextSql } from '@/lib/search/sql-terms'

/** A column of a table for people. `value` is text where `kind` is text or JSON. */
export type ExportColumn = {
  label: string
  kind: Kind
  value: SQL
  json: SQL | null
  /** The column of the table, where it may hold a text that is too long for a cell of a sheet. */
  long: SQL | null
}

/**
 * The columns of CSV and XLSX: the chosen fields, or all that a search returns. Each undeclared name
 * in the registry is a column; when the registry is full, the last column, `$extra`, has the rest.
 */
export function exportColumns(target: SearchTarget, fields: OutputField[] | null): ExportColumn[] {
  if (fields)
    return fields.map((item) => (item.type === 'id' ? idColumn(target) : fieldColumn(item.field)))
  const declared = target.fields.filter(({ hidden }) => !hidden)
  const taken = new Set([ID_FIELD, ...target.fields.map(({ name }) => name)])
  const fieldOf = fieldResolver(target)
  const undeclared = target.extraFields
    .filter((name) => !taken.has(name))
    .map(fieldOf)
    .filter((field): field is FieldRef => !('fault' in field))
  return [
    ...declared.map((field) => fieldColumn({ ...field, path: [] })),
    idColumn(target),
    ...undeclared.map(fieldColumn),
    ...restColumn(target),
  ]
}

function fieldColumn(field: FieldRef): ExportColumn {
  const { name: label, kind } = field
  const { tableText } = KINDS[kind]
  if (tableText) return { label, kind, value: tableText(columnSql(field)), json: null, long: null }
  if (isJsonKind(kind))
    return { label, kind, value: jsonTextSql(field), json: jsonSql(field), long: columnSql(field) }
  const long = isTextKind(kind) ? columnSql(field) : null
  return { label, kind, value: formatted(kind, columnSql(field)), json: null, long }
}

function idColumn(target: SearchTarget): ExportColumn {
  const keys = keyFields(target)
  const kind = keys.length === 1 && keys[0] ? keys[0].kind : 'text'
  return { label: ID_FIELD, kind, value: idSql(target), json: null, long: null }
}

function restColumn(target: SearchTarget): ExportColumn[] {
  const { extraFields } = target
  const extra = extraSql(target)
  if (extra === null || extraFields.length < MAX_EXTRA_FIELDS) return []
  const names = sql`array(select jsonb_array_elements_text(${JSON.stringify(extraFields)}::text::jsonb))`
  const json = sql`nullif(${extra} - ${names}, '{}'::jsonb)`
  return [{ label: '$extra', kind: 'object', value: sql`(${json})::text`, json, long: extra }]
}
