import { type SQL, sql } from 'drizzle-orm'
import type { Entity } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { targetOf } from '@/lib/registry/target'

const MAX_FIELDS = 50
const MAX_CHARS = 200

/**
 * A change for the audit log, as an expression: the fields that differ between two records, which are expressions of `jsonb`.
 *
 *     before, after  {"id":1,"title":"Old"}, {"id":1,"title":"New"}
 *     result         {"changed":{"title":{"before":"Old","after":"New"}}}, with "more" where more than 50 fields differ
 */
export const changeDetails = (before: SQL, after: SQL): SQL => sql`(
  select jsonb_build_object('changed', coalesce(jsonb_object_agg(field,
      jsonb_build_object('before', ${shown(sql`old`)}, 'after', ${shown(sql`new`)}))
      filter (where place <= ${sql.raw(`${MAX_FIELDS}`)}), '{}'))
    || case when count(*) > ${sql.raw(`${MAX_FIELDS}`)}
      then jsonb_build_object('more', count(*) - ${sql.raw(`${MAX_FIELDS}`)}) else '{}' end
  from (
    select field, states.old -> field as old, states.new -> field as new, row_number() over () as place
    from (select ${before} as old, ${after} as new offset 0) as states, jsonb_object_keys(states.old || states.new) as field
    where states.old -> field is distinct from states.new -> field) as fields)`

/** As of `showable`: short, and a number that a double would round as its digits. */
const shown = (value: SQL): SQL => {
  const text = sql`${value}::text`
  const cut = (whole: SQL) =>
    sql`to_jsonb(case when length(${whole}) > ${sql.raw(`${MAX_CHARS}`)}
      then left(${whole}, ${sql.raw(`${MAX_CHARS - 1}`)}) || '…' else ${whole} end)`
  return sql`case when ${value} is null then 'null'
    when length(${text}) <= ${sql.raw(`${MAX_CHARS}`)} and substring(${text} from '[0-9][0-9.]{15}') is null then ${value}
    when jsonb_typeof(${value}) = 'string' then ${cut(sql`${value} #>> '{}'`)}
    when jsonb_typeof(${value}) = 'number' and length(${text}) <= 40
      and ${text}::float8::text::numeric = ${text}::numeric and abs(${text}::numeric) <= ${sql.raw(`${Number.MAX_SAFE_INTEGER}`)} then ${value}
    else ${cut(text)} end`
}

/** Of the row in scope, the fields with these columns, as records show them. */
export function shownFields(entity: Entity, columns: ReadonlySet<string>): SQL {
  const { fields, extraColumn } = targetOf(entity)
  const chosen = fields.filter(({ column }) => columns.has(column))
  const named = chosen.map(
    ({ name, column, kind }) =>
      sql`${KINDS[kind].served(sql`${sql.identifier(column)}`)} as ${sql.identifier(name)}`,
  )
  const declared =
    named.length > 0
      ? sql`(select to_jsonb("$r") from (select ${sql.join(named, sql`, `)}) as "$r")`
      : sql`'{}'::jsonb`
  if (extraColumn === null || !columns.has(extraColumn)) return declared
  return sql`coalesce(${sql.identifier(extraColumn)}, '{}') || ${declared}`
}
