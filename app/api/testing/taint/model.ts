import type { Json, JsonObject } from '@/lib/values/json'
import type { Policy, TaintActor } from './actor'
import { type Lookup, lookupIn, meets } from './conditions'
import { isVoid, lacks, withValues } from './own-values'
import { entityOf, type Rows, type WorldEntity } from './world'

/** What a caller may see and do, from the words of the documents alone: nothing of the product decides here. */

export type Action = 'read' | 'write' | 'update' | 'delete'
export const ACTIONS: readonly Action[] = ['read', 'write', 'update', 'delete']

/** The policies that count for an action, with the caller's values in their conditions. */
export type Rule = {
  /** `unclear`: all that would allow it misses a value of the caller, so that 403 and no records mean the same. */
  access: 'yes' | 'no' | 'unclear'
  isFree: boolean
  allows: Policy[]
  denies: Policy[]
}

const FREE: Policy = { name: '-', principals: [], entities: [], actions: [], allow: true }
const lower = (name: string) => name.toLowerCase()

export class Model {
  readonly find: Lookup
  private readonly rules = new Map<string, Rule>()
  private readonly views = new Map<string, JsonObject[]>()

  constructor(
    readonly rows: Rows,
    readonly policies: readonly Policy[],
    readonly actor: TaintActor,
  ) {
    this.find = lookupIn(rows)
  }

  rule(entity: string, action: Action): Rule {
    const known = this.rules.get(`${entity}:${action}`)
    if (known) return known
    const rule = this.decide(entity, action)
    this.rules.set(`${entity}:${action}`, rule)
    return rule
  }

  private decide(entity: string, action: Action): Rule {
    const { actor } = this
    const roles = actor.roles.map(lower)
    const none: Rule = { access: 'no', isFree: false, allows: [], denies: [] }
    if (!inScopes(actor.scopes, entity, action)) return none
    if (roles.includes('admin')) return { ...none, access: 'yes', isFree: true, allows: [FREE] }
    const builtIn = roles.includes('editor') || (roles.includes('viewer') && action === 'read')
    const applying = this.policies.filter((policy) => concerns(policy, roles, entity, action))
    const allowing = applying.filter(({ allow }) => allow)
    const allows = allowing.filter((one) => !isVoid(one, entity, actor))
    const denies = applying.filter(({ allow }) => !allow).map((one) => denied(one, entity, actor))
    if (denies.some((one) => !isLimited(one))) {
      const isMeant = applying.some((one) => !one.allow && !isLimited(one))
      return { ...none, access: isMeant ? 'no' : 'unclear', denies }
    }
    const granted = [...(builtIn ? [FREE] : []), ...allows]
    const access = granted.length > 0 ? 'yes' : allowing.length > 0 ? 'unclear' : 'no'
    const bound = (one: Policy): Policy => ({
      ...one,
      where: withValues(one.where ?? [], actor),
      ...(one.check
        ? { check: withValues(one.check, actor), isCheckVoid: lacks(one.check, entity, actor) }
        : {}),
    })
    return { access, isFree: false, allows: granted.map(bound), denies: denies.map(bound) }
  }

  /** The fields of a stored record that an action may touch; null where it may not touch the record. */
  fieldsOf(entity: WorldEntity, row: JsonObject, action: Action = 'read'): Set<string> | null {
    const { access, allows, denies } = this.rule(entity.name, action)
    if (access !== 'yes') return null
    const names = namesOf(entity, row)
    const matching = (policy: Policy) => meets(entity, row, policy.where ?? [], this.find)
    const granting = allows.filter(matching)
    const denying = denies.filter(matching)
    if (granting.length === 0 || denying.some(({ fields }) => !fields)) return null
    const granted = names.filter(
      (name) =>
        granting.some(({ fields }) => includes(fields, name)) &&
        !denying.some(({ fields }) => includes(fields, name)),
    )
    return new Set([...granted, ...entity.keys])
  }

  /** The names that exist for the caller: of fields that some record may show. */
  names(name: string, action: Action = 'read'): Set<string> {
    const entity = entityOf(name)
    const { access, allows, denies } = this.rule(name, action)
    if (access !== 'yes') return new Set()
    const never = denies.filter(({ where = [] }) => where.length === 0)
    const granted = entity.fields
      .map((field) => field.name)
      .filter((one) => allows.some(({ fields }) => includes(fields, one)))
      .filter((one) => !never.some(({ fields }) => includes(fields, one)))
    return new Set([...granted, ...entity.keys])
  }

  /** The record as the caller sees it; undefined where it is hidden. */
  shown(entity: WorldEntity, row: JsonObject): JsonObject | undefined {
    const fields = this.fieldsOf(entity, row)
    if (!fields) return undefined
    return Object.fromEntries(Object.entries(row).filter(([name]) => fields.has(name)))
  }

  /** All records as the caller sees them. */
  view(name: string): JsonObject[] {
    const known = this.views.get(name)
    if (known) return known
    const entity = entityOf(name)
    const shown = (this.rows[name] ?? [])
      .map((row) => this.shown(entity, row))
      .filter((row) => row !== undefined)
    this.views.set(name, shown)
    return shown
  }

  /** Among the records that the caller sees. */
  readonly findShown: Lookup = (name: string, key: Json) => {
    const [only = ''] = entityOf(name).keys
    return key === null ? undefined : this.view(name).find((row) => row[only] === key)
  }
}

const namesOf = ({ fields }: WorldEntity, row: JsonObject): string[] => [
  ...new Set([...fields.map(({ name }) => name), ...Object.keys(row)]),
]

const isLimited = ({ where = [], fields }: Policy) => where.length > 0 || fields !== undefined

/** A policy that denies by a value which the caller lacks denies all that it names. */
function denied(policy: Policy, entity: string, actor: TaintActor): Policy {
  return isVoid(policy, entity, actor) ? { ...policy, where: [] } : policy
}

const concerns = (policy: Policy, roles: string[], entity: string, action: Action): boolean =>
  // Whoever allows something to all does not mean guests.
  policy.principals.some(
    (role) =>
      roles.includes(lower(role)) ||
      (role === '*' && !(policy.allow && roles.includes('anonymous'))),
  ) &&
  policy.entities.some((name) => name === '*' || lower(name) === lower(entity)) &&
  policy.actions.some((one) => one === '*' || one === action)

export const includes = (fields: Policy['fields'], name: string): boolean =>
  fields === undefined ||
  (Array.isArray(fields) ? fields.includes(name) : !fields.except.includes(name))

const inScopes = (scopes: string[] | null, entity: string, action: Action): boolean =>
  scopes === null ||
  [`${entity}:${action}`, `${entity}:*`, `*:${action}`, '*:*'].some((one) =>
    scopes.some((scope) => lower(scope) === lower(one)),
  )
