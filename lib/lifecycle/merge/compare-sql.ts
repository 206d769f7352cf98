import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import {
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type UpdateStrategy,
} from '@/lib/definitions/definition'
import { takesSql } from '@/lib/installs/decisions'
import { isTextKind } from '@/lib/kinds/kind'
import type { Presence } from '@/lib/rows/prepared-row'
import {
  CONTENT_COLUMN,
  INDEX_COLUMN,
  incoming,
  ORDINAL_COLUMN,
  PRESENCE_COLUMN,
  recordset,
  sameKey,
  stored,
} from '@/lib/rows/record-columns'
import { checkedProperties } from '@/lib/rows/record-schema'
import { differs } from '@/lib/rows/record-statements'
import { oidOf } from '@/lib/rows/table-constraints'
import type { JsonObject } from '@/lib/values/json'
import {
  fieldsJson,
  imageSql,
  isBaseValue,
  keySql,
  type Origin,
  rememberedSql,
  storedRelation,
} from '../base/record-sql'

/** How the JSON rows are to be read. */
export type RowForm = { strategy: UpdateStrategy; presence: Presence }

/** What the statement finds; the numbers are the rows' indexes. */
export type Compared = {
  /** Stored as given. */
  same: number[] | null
  /**
   * Given before, and not stored; `changed`: given otherwise than before; `filledBy`: the install that found the entity empty
   * and has not created this one again, if any.
   */
  missing: { index: number; key: string; changed: boolean; filledBy: number | null }[] | null
  /** Stored otherwise. `known`: the plugin gave it before; `kept`: fields changed here; `disputed`: those that the plugin changed too. */
  differing: Differing[] | null
}

export type Differing = {
  index: number
  key: string
  known: boolean
  kept: string[]
  disputed: string[]
  /** Of the disputed fields: as the plugin gave them last, as they are, and as it gives them now. */
  base: JsonObject | null
  ours: JsonObject | null
  theirs: JsonObject | null
}

const OWN = [INDEX_COLUMN, EXTRA_COLUMN, PRESENCE_COLUMN, CONTENT_COLUMN, ORDINAL_COLUMN]
const I = sql.identifier(INDEX_COLUMN)
const BASE = sql`n."$base"`
const extraOf = (alias: SQL) => sql`coalesce(${alias}, '{}'::jsonb)`

/**
 * One statement for rows with complete and different keys: compares what a plugin gives with what it gave
 * last and with what is stored, locks the records that differ, and remembers the new base and
 * what is needed to undo both.
 *
 * `incoming`: the rows of the file, with whether a record has their key; `compared`: beside what was remembered of them;
 * `differing`: those whose record is another, with the names of the fields; `taken`: whether it is to be written;
 * `recorded` and `remembered` write; `disputed`: the fields that both sides changed. In, and out:
 *
 *     file     [{ id: 1, price: 4, note: "n" }, { id: 2, price: 5 }, { id: 3, price: 6 }]
 *     base     1: { price: 3, note: "n" }    2: { price: 5 }    3: { price: 6 }
 *     stored   1: { price: 9, note: "n" }    2: { price: 5 }
 *     →        same: [1], missing: [{ index: 2, key: "3", changed: false }],
 *              differing: [{ index: 0, key: "1", kept: ["price"], disputed: ["price"],
 *                base: { price: 3 }, ours: { price: 9 }, theirs: { price: 4 } }]
 */
export async function compareStatement(
  db: Db,
  entity: Entity,
  origin: Origin,
  json: string,
  form: RowForm,
): Promise<SQL> {
  const relation = await storedRelation(db, entity, json)
  // Nobody else writes to tables on the nodes of a cluster meanwhile.
  const locked = entity.isDistributed ? sql`` : sql`for update of t`
  const fields = incomingFields(entity, form)
  const columns = [...entity.keys, ...fields.map(({ property }) => property.name), ...OWN]
  const names = disputes(entity, fields, form)
  const { pluginId, path, installId } = origin
  const takes = takesSql(origin.conflicts, sql`"$key"`)
  const rest = restSql(entity, form)
  const isTaken = sql`"$differs" and not ("$diff" <@ case when ${takes} then "$undisputed" else "$kept" end)`
  return sql`with incoming as materialized (
      select n.*, "$k" is not null as "$stored", coalesce("$k", ${keySql(entity, 'n')}) as "$key",
        "$k" is not null and ${differsSql(fields, form)} as "$differs", ${incomingJson(entity, fields, form)} as "$incoming"
      from ${recordset(entity, json, columns)}
      left join lateral (
        select ${keySql(entity, 't')} as "$k", t.* from ${relation} as t where ${sameKey(entity)}
      ) as t on true
    ), compared as materialized (
      select incoming.*, p.key is not null as "$known", p.base as "$base", p.install_id as "$install", ${rest} as "$rest",
        (incoming."$stored" or p.key is not null) and (p.base is null or p.install_id < 0 or p.path <> ${path}::text
          or (${rest} || incoming."$incoming") <> p.base
          or (incoming."$content", incoming."$ordinal") is distinct from (p.content, p.ordinal)) as "$isNewBase"
      from incoming left join ${rememberedSql(entity, pluginId, sql`incoming."$key"`)} on true
    ), differing as materialized (
      select n.*, to_jsonb(t.*) as "$before", ${imageSql(entity, 't')} as "$current",
        ${names.diff} as "$diff", ${names.kept} as "$kept", ${names.undisputed} as "$undisputed"
      from compared as n join ${relation} as t on ${sameKey(entity)}
      where n."$differs" ${locked}
    ), taken as (
      select ${I}, "$before", ${isTaken} as "$taken" from differing
    ), recorded as (
      insert into ${pluginChanges} (install_id, entity, key, change, before, remembered)
      select ${installId}::bigint, ${entity.name}::text, compared."$key",
        case when taken."$taken" then 'updated' else 'unchanged' end,
        case when taken."$taken" then taken."$before" end, to_jsonb(p.*)
      from compared left join taken on taken.${I} = compared.${I}
        left join ${rememberedSql(entity, pluginId, sql`compared."$key"`)} on true
      where (taken."$taken" or compared."$isNewBase") and p.created_by is distinct from ${installId}::bigint
      on conflict (install_id, entity, key) do update set change = excluded.change, before = excluded.before || coalesce(plugin_changes.before, '{}')
        where plugin_changes.change = 'unchanged' and excluded.change = 'updated'
    ), remembered as (
      insert into ${pluginRecords} as p (plugin_id, entity, key, path, base, install_id, content, ordinal)
      select ${pluginId}::text, ${entity.name}::text, "$key", ${path}::text, coalesce("$rest", '{}') || "$incoming",
        ${installId}::bigint, "$content", "$ordinal"
      from compared where "$isNewBase"
      on conflict (entity, key, plugin_id) do update set path = excluded.path, base = excluded.base,
        install_id = excluded.install_id, content = excluded.content, ordinal = excluded.ordinal
    ), disputed as (
      select *, array(select k from unnest("$kept") with ordinality as u(k, o) where k <> all("$undisputed") order by o) as "$disputed"
      from differing
    )
    select (select json_agg(${I}) from compared where "$stored" and not "$differs") as same,
      (select json_agg(json_build_object('index', ${I}, 'key', "$key",
          'changed', "$base" is null or ("$rest" || "$incoming") <> "$base", 'filledBy', case when "$install" < 0 then -"$install" end))
        from compared where not "$stored" and "$known") as missing,
      (select json_agg(json_build_object('index', ${I}, 'key', "$key", 'known', "$known", 'kept', "$kept", 'disputed', "$disputed",
          'base', ${pick('"$base"')}, 'ours', ${pick('"$current"')}, 'theirs', ${pick('"$incoming"')}))
        from disputed) as differing`
}

/** What stays of a base where rows do not give it: a replacement has no undeclared fields but its own. */
function restSql({ open, table }: Entity, { strategy }: RowForm): SQL {
  if (strategy !== 'Replace' || !open) return sql`p.base`
  const columns = sql`select attname from pg_attribute where attrelid = ${oidOf(table)} and attnum > 0 and not attisdropped`
  return sql`(p.base - array(select k from jsonb_object_keys(p.base) as k where k not in (${columns})))`
}

type IncomingField = { property: Property; isIncoming: SQL | null }

/**
 * The fields that rows give, without the key; `isIncoming`: null when all rows do. A replacement gives all but those
 * whose values are generated: it keeps them.
 */
export function incomingFields(entity: Entity, { strategy, presence }: RowForm): IncomingField[] {
  const settable = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  if (strategy === 'Replace')
    return settable.map((property) => ({
      property,
      isIncoming: property.rules.generates ? sql`${incoming(property.name)} is not null` : null,
    }))
  const some = new Set(presence.some)
  const any = new Set([...presence.every, ...some])
  return settable
    .filter(({ name }) => any.has(name))
    .map((property) => ({
      property,
      isIncoming: some.has(property.name)
        ? sql`n.${sql.identifier(PRESENCE_COLUMN)} ? ${property.name}::text`
        : null,
    }))
}

const ifIncoming = ({ isIncoming }: IncomingField, condition: SQL): SQL =>
  isIncoming ? sql`(${isIncoming} and ${condition})` : sql`(${condition})`

const fieldDiffers = ({ property: { name, kind } }: IncomingField): SQL =>
  differs({ name, value: incoming(name), isText: isTextKind(kind) })

export function differsSql(fields: readonly IncomingField[], { strategy }: RowForm): SQL {
  const [current, next] = [extraOf(stored(EXTRA_COLUMN)), extraOf(incoming(EXTRA_COLUMN))]
  const after = strategy === 'Replace' ? next : sql`(${current} || ${next})`
  const conditions = fields.map((field) => ifIncoming(field, fieldDiffers(field)))
  return sql`(${sql.join([...conditions, sql`${current} <> ${after}`], sql` or `)})`
}

/** What the row `n` gives, as `plugin_records` keeps it. */
function incomingJson(
  entity: Entity,
  fields: readonly IncomingField[],
  { strategy }: RowForm,
): SQL {
  const keys = checkedProperties(entity).filter(({ name }) => entity.keys.includes(name))
  const always = fields.flatMap(({ property, isIncoming }) => (isIncoming ? [] : [property]))
  const some = fields.flatMap(({ property, isIncoming }) => (isIncoming ? [property] : []))
  const parts = [fieldsJson(entity, [...keys, ...always], 'n'), extraOf(incoming(EXTRA_COLUMN))]
  const isPresent =
    strategy === 'Replace'
      ? sql`e.value <> 'null'`
      : sql`n.${sql.identifier(PRESENCE_COLUMN)} ? e.key`
  if (some.length > 0)
    parts.push(sql`coalesce((select jsonb_object_agg(e.key, e.value) from jsonb_each(${fieldsJson(entity, some, 'n')}) as e
      where ${isPresent}), '{}')`)
  return sql`(${sql.join(parts, sql` || `)})`
}

/**
 * Lists of names, of the row `n` and its record `t`: `diff`, the fields that differ; `kept`, those of
 * them that were changed here; `undisputed`, those of these that the plugin did not change.
 */
function disputes(entity: Entity, fields: readonly IncomingField[], { strategy }: RowForm) {
  const list = (condition: (field: IncomingField) => SQL, extra: SQL): SQL => {
    const names = fields.map(
      (field) =>
        sql`case when ${ifIncoming(field, condition(field))} then ${field.property.name}::text end`,
    )
    return sql`(array_remove(array[${sql.join(names, sql`, `)}]::text[], null) || array(${extra}))`
  }
  const known = sql`n."$known" and ${BASE} is not null`
  const isEdited = (field: IncomingField) =>
    sql`${known} and ${fieldDiffers(field)} and not ${isBaseValue(entity, field.property, stored(field.property.name), BASE)}`
  const [current, next] = [extraOf(stored(EXTRA_COLUMN)), extraOf(incoming(EXTRA_COLUMN))]
  const undeclared = strategy === 'Replace' ? sql`${current} || ${next}` : next
  const diff = sql`select k from jsonb_object_keys(${undeclared}) as k where ${next} -> k is distinct from ${current} -> k`
  const kept = sql`${diff} and ${known} and ${current} -> k is distinct from ${BASE} -> k`
  return {
    diff: list(fieldDiffers, diff),
    kept: list(isEdited, kept),
    undisputed: list(
      (field) =>
        sql`${isEdited(field)} and ${isBaseValue(entity, field.property, incoming(field.property.name), BASE)}`,
      sql`${kept} and ${next} -> k is not distinct from ${BASE} -> k`,
    ),
  }
}

/** The disputed fields of a JSON object; null without any. */
const pick = (object: string): SQL =>
  sql`(select jsonb_object_agg(e.key, e.value) from jsonb_each(${sql.raw(object)}) as e where e.key = any("$disputed"))`
