import { decide, type FieldList, type PolicyRule, type RecordAction } from '@/lib/auth/rights'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import type { Policy } from './policy-queries'

/** What a role may do with an entity by one action. */
export type Grant = {
  rows: 'all' | 'some' | 'none'
  /** The entity's own definition allows it to nobody. */
  closed: boolean
  /** Names of the fields that some row grants; null: all. */
  fields: readonly string[] | null
  /** The policies that say so, and those that take something from it. */
  policies: readonly Policy[]
}

type Named = PolicyRule & { policy: Policy }

/** Names of entities are in lower case there; a policy that is invalid denies what it names. */
const toRule = (policy: Policy): Named => {
  const { actions, allow, where, fields, invalid } = policy
  const named = { policy, actions, entities: policy.entities.map((name) => name.toLowerCase()) }
  if (invalid !== null) return { ...named, allow: false }
  return { ...named, allow, where: (where ?? []) as never, fields: fields ?? undefined }
}

type Question = {
  role: string
  policies: readonly Policy[]
  entity: EntitySummary
  action: RecordAction
}

/** Decided as the server does it: by `decide`, from the policies that concern the role. */
export function grantOf({ role, policies, entity, action }: Question): Grant {
  const closed = !entity.permissions[action]
  const right = { entity: entity.name, action }
  const decision = decide([role], policies.map(toRule), right)
  const said = [...decision.rules, ...decision.limits].map(({ policy }) => policy)
  if (closed || !decision.allowed) return { rows: 'none', closed, fields: null, policies: said }
  const takesRows = decision.limits.some(({ fields }) => !fields)
  const givesAll = decision.role !== null || decision.rules.some(({ where }) => !where?.length)
  const names = entity.fields.map(({ name }) => name)
  return {
    rows: givesAll && !takesRows ? 'all' : 'some',
    closed,
    fields: grantedFields(decision, names, entity.keys),
    policies: said,
  }
}

type Said = Pick<ReturnType<typeof decide<Named>>, 'role' | 'rules' | 'limits'>

/** Keys are always read with their row. Fields that are denied in some rows count as granted: others show them. */
function grantedFields(
  { role, rules, limits }: Said,
  names: readonly string[],
  keys: EntitySummary['keys'],
): string[] | null {
  const isKey = (name: string) => keys.some(({ key }) => key === name)
  const isGranted = (name: string) =>
    role !== null || rules.some(({ fields }) => !fields || hasField(fields, name))
  const isTaken = (name: string) =>
    limits.some(({ where, fields }) => !where?.length && fields && hasField(fields, name))
  const granted = names.filter((name) => isKey(name) || (isGranted(name) && !isTaken(name)))
  return granted.length === names.length ? null : granted
}

/** Whether a list of fields names one. */
export const hasField = (list: FieldList, name: string): boolean =>
  'except' in list ? !list.except.includes(name) : list.includes(name)
