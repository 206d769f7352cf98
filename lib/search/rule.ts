import {
  type Actor,
  decide,
  isUnlimited,
  type PolicyRule,
  type RecordAction,
} from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Json } from '@/lib/values/json'
import { withActor } from './actor-values'
import { wholeTarget } from './follow'
import { resolveConditions } from './resolve-conditions'
import { type FieldResolver, fieldResolver, ID_FIELD } from './resolve-field'
import { isTooLarge, MAX_FIELD_TESTS } from './rule-size'
import { SearchFaults } from './search-faults'
import { type Join, Joins } from './sql-terms'
import { all, any, not, type Verdict } from './verdict'

/** Whether a rule is about rows as they are, by `where`, or about what was written, by `check`. */
export type RuleMoment = 'stored' | 'written'

/** What the policies of a caller say of the rows and fields of an entity, for one action. */
export type Rule = {
  /** Of rows, over the whole entity and what `joins` adds to it. */
  rows: Verdict
  joins: Join[]
  /** Of fields, in a row that `rows` allows. Fields that are not in it are open in each. */
  fields: ReadonlyMap<string, Verdict>
  /** The same of all undeclared fields that `fields` does not have. */
  rest: Verdict
  /** More than can be carried out: it shows no row, and requests are refused. */
  isTooLarge?: true
}

/** `key`: of the callers for whom it is the same; null where it is of this moment. */
type Compiled = { rule: Rule | null; referred: Entity[]; key: string | null }

/** Of callers with values of their own, for one list of policies and one entity. */
const MAX_RULES = 500

// Lists of policies with the same content are one object, which a change of a policy replaces.
const rules = new WeakMap<readonly PolicyRule[], WeakMap<Entity, Map<string, Compiled>>>()

/**
 * The rule of `actor` for an action on records of `entity`; null when it is the same for every row and field. Policies that
 * do not fit the entity deny everything. `entities`: all that are installed.
 */
export function ruleOf(
  actor: Actor,
  entity: Entity,
  action: RecordAction,
  entities: readonly Entity[],
  moment: RuleMoment = 'stored',
): Rule | null {
  const { policies = [] } = actor
  if (policies.length === 0) return null
  const known = rulesFor(policies, entity)
  const shared = JSON.stringify([action, moment, actor.roles])
  const own = JSON.stringify([shared, actor.userId, actor.profile])
  const found = known.get(shared) ?? known.get(own)
  if (found && isCurrent(found, entities)) return found.rule
  const made = compile(actor, entity, action, entities, moment, { shared, own })
  if (known.size >= MAX_RULES) known.clear()
  if (made.key !== null) known.set(made.key, made)
  return made.rule
}

function rulesFor(policies: readonly PolicyRule[], entity: Entity): Map<string, Compiled> {
  const byEntity = rules.get(policies) ?? new WeakMap<Entity, Map<string, Compiled>>()
  rules.set(policies, byEntity)
  const known = byEntity.get(entity) ?? new Map<string, Compiled>()
  byEntity.set(entity, known)
  return known
}

/** Definitions of referred entities may have changed. */
const isCurrent = ({ referred }: Compiled, entities: readonly Entity[]) =>
  referred.every((entity) => entities.includes(entity))

function compile(
  actor: Actor,
  entity: Entity,
  action: RecordAction,
  entities: readonly Entity[],
  moment: RuleMoment,
  keys: { shared: string; own: string },
): Compiled {
  const decision = decide(actor.roles, actor.policies ?? [], { entity: entity.name, action })
  if (isUnlimited(decision) && (moment === 'stored' || decision.role !== null))
    return { rule: null, referred: [], key: keys.shared }
  const referred: Entity[] = []
  const joins = new Joins()
  const target = wholeTarget(entity, entities, (one) => referred.push(one))
  const fieldOf = fieldResolver(target, joins)
  const parts = (list: readonly PolicyRule[]) =>
    list.map((policy): Part => {
      return { policy, when: placeAt(policy, moment, { entity, actor, fieldOf }) }
    })
  const [allowing, limiting] = [parts(decision.rules), parts(decision.limits)]
  const rule = combine(entity, allowing, limiting, decision.role !== null)
  const all = [...allowing, ...limiting]
  const own = all.some(({ policy }) => isOfCaller(policy)) ? keys.own : keys.shared
  const key = all.some(({ when }) => isMoving(when)) ? null : own
  const isOpen = rule.rows === true && rule.fields.size === 0 && rule.rest === true
  return { rule: isOpen ? null : { ...rule, joins: joins.list }, referred, key }
}

/**
 * Where a policy applies to a record as it is, or as it was written: then by its `check`, for those alone who have the values
 * that its `where` compares with.
 */
export function placeAt(policy: PolicyRule, moment: RuleMoment, source: Source): Place {
  const { where = [], check } = policy
  const stored = () => placeOf(policy, where, source)
  if (moment === 'stored' || check === undefined) return stored()
  const isConcerned = !OF_CALLER.test(JSON.stringify(where)) || stored() !== 'missing'
  return isConcerned ? placeOf(policy, check, source) : 'missing'
}

/** Whether the caller lacks a value that `where` of a policy compares with: then the policy is not about this caller. */
export function isWithoutValues(
  policy: PolicyRule,
  entity: Entity,
  actor: Actor,
  entities: readonly Entity[],
): boolean {
  const { where = [] } = policy
  if (!OF_CALLER.test(JSON.stringify(where))) return false
  const fieldOf = fieldResolver(wholeTarget(entity, entities), new Joins())
  return placeOf(policy, where, { entity, actor, fieldOf }) === 'missing'
}

const OF_CALLER = /"\$me/
const isOfCaller = ({ where, check }: PolicyRule) => OF_CALLER.test(JSON.stringify([where, check]))

/** Whether it compares with a time relative to this moment. */
function isMoving(place: Place): boolean {
  if (typeof place !== 'object') return false
  if (place.type !== 'test') return place.of.some(isMoving)
  return place.values.some((value) => value.type !== 'json' && value.written !== undefined)
}

/** Where a policy applies; `missing`: the caller lacks a value that it compares with; `invalid`: it does not fit the entity. */
export type Place = Verdict | 'missing' | 'invalid'

type Part = { policy: PolicyRule; when: Place }

type Source = { entity: Entity; actor: Actor; fieldOf: FieldResolver }

/** Where some `conditions` of a policy hold; `fieldOf` finds fields of the whole entity. */
export const placeOf = (
  policy: PolicyRule,
  conditions: readonly Json[],
  { entity, actor, fieldOf }: Source,
): Place => (fits(policy, entity) ? compileConditions(conditions, actor, fieldOf) : 'invalid')

function combine(
  entity: Entity,
  allowing: readonly Part[],
  limiting: readonly Part[],
  isOpenToRole: boolean,
): Omit<Rule, 'joins'> {
  if ([...allowing, ...limiting].some(({ when }) => when === 'invalid')) return NOTHING
  const grants = allowing.map(({ policy, when }) => ({
    policy,
    when: when === 'missing' ? false : (when as Verdict),
  }))
  const limits = limiting.map(({ policy, when }) => ({
    policy,
    when: when === 'missing' ? true : (when as Verdict),
  }))
  const rows = all([
    any([isOpenToRole, ...grants.map(({ when }) => when)]),
    ...limits.filter(({ policy }) => !policy.fields).map(({ when }) => not(when)),
  ])
  const verdictOf = (name: string | null): Verdict => {
    const granting = grants.filter(({ policy }) => names(policy, name))
    const isGranted = isOpenToRole || granting.length === grants.length
    return all([
      isGranted || any(granting.map(({ when }) => when)),
      ...limits
        .filter(({ policy }) => policy.fields && names(policy, name))
        .map(({ when }) => not(when)),
    ])
  }
  const declared = entity.properties.map(({ name }) => name)
  const named = [...allowing, ...limiting].flatMap(({ policy }) => listed(policy))
  const distinct = [...new Set([...declared, ...named])]
  if (distinct.length - declared.length > MAX_FIELD_TESTS) return TOO_LARGE
  const fields = distinct
    .filter((name) => !entity.keys.includes(name) && name !== ID_FIELD)
    .map((name): [string, Verdict] => [name, verdictOf(name)])
  const rest = verdictOf(null)
  const isDeclared = new Set(declared)
  const limited = fields.filter(
    ([name, verdict]) => verdict !== (isDeclared.has(name) ? true : rest),
  )
  const rule = { rows, fields: new Map(limited), rest }
  return isTooLarge(rule) ? TOO_LARGE : rule
}

const NOTHING = { rows: false, fields: new Map<string, Verdict>(), rest: false } as const
const TOO_LARGE = { ...NOTHING, isTooLarge: true } as const

/** Whether a policy concerns a field; null: an undeclared one that no policy names. */
export function names({ fields }: PolicyRule, name: string | null): boolean {
  if (!fields) return true
  if ('except' in fields) return name === null || !fields.except.includes(name)
  return name !== null && fields.includes(name)
}

const listed = ({ fields }: PolicyRule): readonly string[] =>
  !fields ? [] : 'except' in fields ? fields.except : fields

/** Whether the entity has the fields that a policy names; otherwise a renamed field would be shown. */
const fits = (policy: PolicyRule, { open, properties }: Entity): boolean =>
  open ||
  listed(policy).every(
    (name) => name === ID_FIELD || properties.some((property) => property.name === name),
  )

function compileConditions(
  conditions: readonly Json[],
  actor: Actor,
  fieldOf: FieldResolver,
): Place {
  const { json, isMissing } = withActor(conditions, actor)
  if (isMissing) return 'missing'
  const faults = new SearchFaults()
  const resolved = resolveConditions(json, 'where', fieldOf, faults, null)
  if (!faults.isEmpty) {
    // A value of the caller's profile may be of another type than the field.
    const isOfActor = json !== conditions && faults.paths.every((path) => path.endsWith('.value'))
    return isOfActor ? 'missing' : 'invalid'
  }
  return all(resolved)
}
