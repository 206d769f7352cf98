import { type Actor, can, type Decision, decide, type RecordAction } from '@/lib/auth/rights'
import { type NamedRule, selectNamedRules } from '@/lib/auth/rules-for'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayRead, requireReadAll } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import { ID_FIELD } from '@/lib/search/resolve-field'
import { names, ruleOf } from '@/lib/search/rule'
import type { Verdict } from '@/lib/search/verdict'
import type { Json } from '@/lib/values/json'
import { unknownName } from '@/lib/values/unknown-name'
import { actorNamed, type Named } from './actor-named'
import { holdsIn, type PolicyPlace, placesOf } from './policy-places'
import { requireReadFollowed } from './require-read-followed'
import type { Why, WhyPolicy } from './why-contract'

/** May `named` do this with records of the entity, with one of them, or with one of its fields? */
export type WhyQuestion = {
  named: Named
  entity: string
  action: RecordAction
  id?: string
  field?: string
}

type Asked = { actor: Actor; entity: Entity; entities: readonly Entity[]; action: RecordAction }

/**
 * Whether, and by which policies: by the decision and the rule that requests go by. About a record, `caller` must be one who
 * may read all of the entity, and of those that the conditions of the policies follow. Throws `not_found`, `forbidden`, and `invalid_input` for a field that there is not.
 */
export async function explainRight(
  deps: Deps,
  caller: Actor,
  { named, id, field, action, entity: name }: WhyQuestion,
): Promise<Why> {
  const entity = await findEntity(deps, name)
  const entities = await listEntities(deps)
  if (field !== undefined) requireField(entity, field)
  if (id !== undefined) requireReadAll(caller, entity, PART)
  if (id !== undefined && action === 'write')
    throw invalid('id', 'A record that is created has none yet')
  const found = await actorNamed(deps.db, named)
  const policies = await selectNamedRules(deps.db, found.roles)
  const asked: Asked = { actor: { ...found, policies }, entity, entities, action }
  const decision = decide(found.roles, policies, { entity: entity.name, action })
  const verdict = verdictOf(asked, field)
  const said = saidBy(decision)
  if (id !== undefined) requireReadFollowed(caller, conditionsOf(asked, said), asked, PART)
  const places = await placesOf(deps.db, said, asked, id)
  const answers = said.map((policy, at) => describe(policy, places[at], { id, field }))
  const shut = whyShut(asked, decision)
  const holds = id === undefined ? verdict !== false : await isCovered(deps, asked, verdict, id)
  const allowed = shut === null && holds
  return {
    ...{ entity: entity.name, action, id: id ?? null, field: field ?? null, allowed },
    records: shut !== null || verdict === false ? 'none' : verdict === true ? 'all' : 'some',
    reason: shut ?? (holds ? whyAllowed(decision, answers) : whyNot(answers, { id, field })),
    role: decision.role,
    policies: answers,
  }
}

const PART = 'Asking about a record'

const saidBy = ({ rules, limits }: Decision<NamedRule>) => [...rules, ...limits]

/** Those that an answer about a record tells of: who changes or deletes one must be able to see it, too. */
function conditionsOf({ actor, entity }: Asked, said: readonly NamedRule[]): Json[] {
  const policies = (actor.policies ?? []) as readonly NamedRule[]
  const reading = decide(actor.roles, policies, { entity: entity.name, action: 'read' })
  return [...said, ...saidBy(reading)].flatMap(({ where }) => where ?? [])
}

function requireField({ open, properties }: Entity, field: string): void {
  const known = properties.map(({ name }) => name)
  if (open || field === ID_FIELD || known.includes(field)) return
  throw invalid('field', unknownName('field', field, known))
}

const invalid = (field: string, error: string) =>
  new AppError('invalid_input', `${field}: ${error}`, { validations: [{ field, error }] })

/** Where the rule of the action shows, or lets change, the field in a record; without a field, the record. */
function verdictOf({ actor, entity, action, entities }: Asked, field?: string): Verdict {
  const rule = ruleOf(actor, entity, action, entities)
  if (!rule || rule.rows === false) return rule === null
  if (field === undefined || field === ID_FIELD || entity.keys.includes(field)) return rule.rows
  const isDeclared = entity.properties.some(({ name }) => name === field)
  const ofField = rule.fields.get(field) ?? (isDeclared || rule.rest)
  if (typeof ofField === 'boolean') return ofField && rule.rows
  return rule.rows === true ? ofField : { type: 'and', of: [rule.rows, ofField] }
}

/** What may be changed or deleted must be visible, too, to those who may read. */
async function isCovered(deps: Deps, asked: Asked, verdict: Verdict, id: string): Promise<boolean> {
  const { actor, entity, entities, action } = asked
  const isCovered = await holdsIn(
    deps.db,
    ruleOf(actor, entity, action, entities),
    verdict,
    entity,
    id,
  )
  if (!isCovered || action === 'read' || !mayRead(actor, entity)) return isCovered
  const reading = ruleOf(actor, entity, 'read', entities)
  return holdsIn(deps.db, reading, reading?.rows ?? true, entity, id)
}

type Part = Pick<WhyQuestion, 'id' | 'field'>

/** What one policy says of what was asked about. */
function describe(
  policy: NamedRule,
  place: PolicyPlace = { holds: null, missed: null, reason: null },
  { field }: Part,
): WhyPolicy {
  const { name, pluginId, allow } = policy
  const isOther = field !== undefined && !names(policy, field)
  return {
    ...{ name, pluginId, allow },
    applies: isOther ? false : place.holds,
    missed: isOther ? null : place.missed,
    reason: policy.invalid ?? (isOther ? `It does not concern the field "${field}"` : place.reason),
  }
}

/** Why nothing is allowed, whatever the record; null: something may be. */
function whyShut({ actor, entity, action }: Asked, decision: Decision<NamedRule>): string | null {
  const right = `${entity.name}:${action}`
  if (!entity.definition.permissions[action])
    return `The definition of ${entity.name} closes the action "${action}" to everybody`
  if (decision.rules.length > 0 && !decision.allowed) return `Denied by ${listed(decision.rules)}`
  if (!decision.allowed)
    return `Neither a built-in role nor a policy allows ${right} to ${actor.roles.join(', ') || 'nobody'}`
  return can(actor, { entity: entity.name, action })
    ? null
    : `The scopes of the key are without "${right}"`
}

const whyAllowed = ({ role }: Decision, answers: readonly WhyPolicy[]): string => {
  const allowing = answers.filter(({ allow, applies }) => allow && applies !== false)
  const by = [
    ...(role ? [`the built-in role ${role}`] : []),
    ...allowing.map(({ name }) => `"${name}"`),
  ]
  return `Allowed by ${by.join(', ')}`
}

function whyNot(answers: readonly WhyPolicy[], { id, field }: Part): string {
  const denying = answers.filter(({ allow, applies }) => !allow && applies)
  if (denying.length > 0) return `Denied by ${listed(denying)}`
  const what = field !== undefined ? `the field "${field}"` : 'the record'
  if (answers.some(({ allow, applies }) => allow && applies)) return 'It may not read the record'
  const of = id === undefined ? '' : ' of the record'
  return field === undefined
    ? `No policy that allows it concerns ${id === undefined ? 'any record' : what}`
    : `No policy that allows it concerns ${what}${of}`
}

const listed = (policies: readonly { name: string }[]) =>
  policies.map(({ name }) => `"${name}"`).join(', ')
