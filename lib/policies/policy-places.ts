import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import type { NamedRule } from '@/lib/auth/rules-for'
import { type Db, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { recordNotFound, recordWhere } from '@/lib/records/record-where'
import { targetOf } from '@/lib/registry/target'
import { wholeTarget } from '@/lib/search/follow'
import { fieldResolver } from '@/lib/search/resolve-field'
import { type Place, placeOf, type Rule } from '@/lib/search/rule'
import { fromSql, type Join, Joins } from '@/lib/search/sql-terms'
import { type Verdict, verdictSql } from '@/lib/search/verdict'
import type { Json } from '@/lib/values/json'

/** Whether a policy concerns a record; `holds` null: it depends on the record, and none was given. */
export type PolicyPlace = { holds: boolean | null; missed: Json; reason: string | null }

type Of = { actor: Actor; entity: Entity; entities: readonly Entity[] }

/** Where each of `policies` holds for `actor`, a condition at a time. Throws `not_found` for a record that there is not. */
export async function placesOf(
  db: Db,
  policies: readonly NamedRule[],
  { actor, entity, entities }: Of,
  id?: string,
): Promise<PolicyPlace[]> {
  const joins = new Joins()
  const fieldOf = fieldResolver(wholeTarget(entity, entities), joins)
  const compiled = policies.map((policy) =>
    (policy.where ?? []).map((condition): Condition => {
      const place = placeOf(policy, [condition], { entity, actor, fieldOf })
      return { condition, place }
    }),
  )
  const fitting = policies.map((policy) => placeOf(policy, [], { entity, actor, fieldOf }))
  const verdicts = compiled.flat().map(({ place }) => (typeof place === 'string' ? true : place))
  const held = id === undefined ? null : await readVerdicts(db, entity, joins.list, verdicts, id)
  let next = 0
  return policies.map(({ allow }, at) => {
    const conditions = (compiled[at] ?? []).map((one) => ({
      ...one,
      holds: held?.[next++] ?? null,
    }))
    return fitting[at] === 'invalid'
      ? { holds: true, missed: null, reason: INVALID }
      : placeIn(conditions, allow)
  })
}

const INVALID = 'It does not fit the entity, and denies everything'

type Condition = { condition: Json; place: Place }

function placeIn(
  conditions: readonly (Condition & { holds: boolean | null })[],
  allow: boolean,
): PolicyPlace {
  const broken = conditions.find(({ place }) => place === 'invalid')
  if (broken) return { holds: true, missed: broken.condition, reason: INVALID }
  const lacking = conditions.find(({ place }) => place === 'missing')
  if (lacking)
    return {
      holds: !allow,
      missed: lacking.condition,
      reason: `The user or key has no such value of its own; so it ${allow ? 'allows nothing' : 'denies all that it names'}`,
    }
  const missed = conditions.find(({ holds }) => holds === false)
  if (missed)
    return {
      holds: false,
      missed: missed.condition,
      reason: 'The record does not meet a condition',
    }
  const isOpen = conditions.some(({ holds }) => holds === null)
  return { holds: isOpen ? null : true, missed: null, reason: null }
}

/** Whether a verdict of `rule` holds of the record. */
export async function holdsIn(
  db: Db,
  rule: Rule | null,
  verdict: Verdict,
  entity: Entity,
  id: string,
): Promise<boolean> {
  const [holds = false] = await readVerdicts(db, entity, rule?.joins ?? [], [verdict], id)
  return holds
}

async function readVerdicts(
  db: Db,
  entity: Entity,
  joins: readonly Join[],
  verdicts: readonly Verdict[],
  id: string,
): Promise<boolean[]> {
  const target = targetOf(entity)
  const parts = verdicts.map((verdict): SQL => verdictSql(verdict))
  const list = sql`to_jsonb(array[${sql.join(parts, sql`, `)}]::boolean[])`
  const [found] = await rows<{ held: boolean[] }>(
    db,
    sql`select ${list} as held from ${fromSql(target, joins)} where ${recordWhere(target, id)}`,
  )
  if (!found) throw recordNotFound(entity.name, id)
  return found.held
}
