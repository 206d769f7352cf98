import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Actor, RecordAction } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import {
  type Mask,
  type RowRule,
  type SearchTarget,
  type TargetField,
  targetOf,
} from '@/lib/registry/target'
import { type Rule, ruleOf } from './rule'
import { columnSql, valuesSql } from './sql-terms'
import { conditionsOf, type Verdict, verdictSql } from './verdict'

const targets = new WeakMap<Rule, SearchTarget>()

/**
 * The entity with the rows and fields that `actor` may read, without its references; the same object for the same rule.
 * What a rule hides is in none of its fields, so no statement can name it.
 */
export function restrictedTarget(
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
  action: RecordAction = 'read',
): SearchTarget {
  const rule = ruleOf(actor, entity, action, entities)
  if (!rule) return targetOf(entity)
  const known = targets.get(rule) ?? restrict(targetOf(entity), rule)
  targets.set(rule, known)
  return known
}

function restrict(target: SearchTarget, rule: Rule): SearchTarget {
  const { rows, joins, fields, rest } = rule
  const verdictOf = (name: string): Verdict =>
    fields.get(name) ?? (target.fields.some((field) => field.name === name) || rest)
  const where = conditionsOf(rows)
  const isLimited = where.length > 0 || joins.length > 0
  const version = createHash('sha256').update(JSON.stringify([...fields, rest, rows, joins]))
  return {
    ...target,
    fields: target.fields.flatMap((field) => visibleField(field, verdictOf(field.name))),
    extraFields: target.extraFields.filter((name) => verdictOf(name) !== false),
    ...restrictedExtra(target, rule),
    ...(isLimited ? { rule: rowRule(rule) } : {}),
    ...(rule.isTooLarge ? { isTooLarge: true } : {}),
    version: `${target.version ?? ''} ${version.digest('base64url')}`,
  }
}

function rowRule({ rows, joins }: Rule): RowRule {
  const where = conditionsOf(rows)
  return { where, joins, sql: verdictSql(rows), toJSON: () => [where, joins] }
}

function visibleField(field: TargetField, verdict: Verdict): TargetField[] {
  if (typeof verdict === 'boolean') return verdict ? [field] : []
  const mask = maskOf(verdict, columnSql({ ...field, path: [] }), sql`null`)
  return [{ ...field, nullable: true, indexed: false, mask }]
}

function maskOf(verdict: Verdict, value: SQL, otherwise: SQL): Mask {
  const condition = verdictSql(verdict)
  const shown = sql`(case when ${condition} then ${value} else ${otherwise} end)`
  return { condition, value: shown, toJSON: () => verdict }
}

/**
 * The column of undeclared fields without those that are hidden, and without declared names, under which it may still have
 * values of before.
 */
function restrictedExtra(
  { extraColumn, fields: declared, isDistributed = false }: SearchTarget,
  { fields, rest }: Rule,
): Pick<SearchTarget, 'extraColumn' | 'extra'> {
  const isDeclared = new Set(declared.map(({ name }) => name))
  const named = [...fields].filter(([name]) => !isDeclared.has(name))
  if (extraColumn === null) return { extraColumn }
  if (rest === false && named.every(([, verdict]) => verdict === false))
    return { extraColumn: null }
  const column = sql`${sql.identifier(extraColumn)}`
  const apart = [...isDeclared, ...named.map(([name]) => name)].map((name) => sql`${name}::text`)
  const others = sql`(${column} - array[${sql.join(apart, sql`, `)}]::text[])`
  const shown = named.filter(([, verdict]) => verdict !== false)
  const parts = [
    sql`(case when ${verdictSql(rest)} then ${others} else '{}'::jsonb end)`,
    ...alike(shown).map(
      ({ verdict, names }) =>
        sql`(case when ${verdictSql(verdict)} then ${picked(column, names, isDistributed)} else '{}'::jsonb end)`,
    ),
  ]
  const value = sql`(${sql.join(parts, sql` || `)})`
  return { extraColumn, extra: { condition: sql`true`, value, toJSON: () => [...named, rest] } }
}

/** Fields by what is said of them, which a statement then says once. */
function alike(fields: readonly [string, Verdict][]): { verdict: Verdict; names: string[] }[] {
  const groups = new Map<string, { verdict: Verdict; names: string[] }>()
  for (const [name, verdict] of fields) {
    const said = JSON.stringify(verdict)
    const group = groups.get(said)
    if (group) group.names.push(name)
    else groups.set(said, { verdict, names: [name] })
  }
  return [...groups.values()]
}

/** The named parts of an object, those that it has. Nodes of a cluster take no rows of an array. */
function picked(column: SQL, names: string[], isDistributed: boolean): SQL {
  if (!isDistributed)
    return sql`(select coalesce(jsonb_object_agg("$name", ${column} -> "$name"), '{}') from unnest(${valuesSql('text', names)}) as "$name" where ${column} ? "$name")`
  const parts = names.map(
    (name) =>
      sql`(case when ${column} ? ${name}::text then jsonb_build_object(${name}::text, ${column} -> ${name}::text) else '{}'::jsonb end)`,
  )
  return sql`(${sql.join(parts, sql` || `)})`
}
