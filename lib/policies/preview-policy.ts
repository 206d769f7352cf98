import { eq } from 'drizzle-orm'
import { type Actor, type PolicyRule, requireRight } from '@/lib/auth/rights'
import { namedParts } from '@/lib/auth/rules-for'
import { users } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireReadAll } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import { countRecords } from '@/lib/search/count-records'
import { describeColumns } from '@/lib/search/describe-columns'
import { wholeTarget } from '@/lib/search/follow'
import { fieldResolver } from '@/lib/search/resolve-field'
import { placeOf } from '@/lib/search/rule'
import { searchRecords } from '@/lib/search/search-records'
import type { PreviewBody } from './policy-contract'
import { policyFaults } from './policy-faults'
import { readDefinition, refused } from './read-definition'
import { requireReadFollowed } from './require-read-followed'

const SAMPLE = 5

/**
 * What a policy that nobody has made yet concerns of one entity, by itself: numbers of records, and of fields, with a
 * sample, as JSON text. `as` names whose values `$me` and the profile are. Throws as creating the policy does, `not_found`,
 * and `forbidden` for a caller who may not read all of the entity and of those that the conditions follow, or who asks for
 * a user without `users:manage`, whose profile the numbers tell of.
 */
export async function previewPolicy(
  deps: Deps,
  caller: Actor,
  { entity: name, action, policy, as }: PreviewBody,
): Promise<string> {
  const entity = await findEntity(deps, name)
  const entities = await listEntities(deps)
  requireReadAll(caller, entity, PART)
  if (as) requireRight(caller, 'users:manage')
  const definition = readDraft(policy, entity)
  const faults = policyFaults(definition, entities)
  if (faults.length > 0) throw refused(faults)
  const draft = { ...ruleOf(definition, action), entity, entities }
  requireReadFollowed(caller, draft.where ?? [], draft, PART)
  const reader = await readerBy(deps.db, draft, as?.user)
  const total = await countRecords(deps, name, { conditions: [], conditionsName: 'query' })
  const { data, pagination } = await searchRecords(deps, name, FIRST, reader)
  const visibleFields = (await describeColumns(deps, name, reader)).map((column) => column.name)
  const fields = (await describeColumns(deps, name, caller)).length
  const counts = { total, matching: pagination.total, fields, visibleFields }
  return `[${JSON.stringify(counts).slice(0, -1)},"sample":${data}}]`
}

const PART = 'The preview of a policy'

const FIRST = {
  ...{ conditions: [], conditionsName: 'query' as const, sort: [] },
  ...{ page: 0, size: SAMPLE, count: 'exact' as const },
}

function readDraft(policy: PreviewBody['policy'], { name }: Entity): PolicyDefinition {
  const said = Object.entries(policy).filter(([, value]) => value !== null && value !== undefined)
  const draft = { principals: ['*'], actions: ['read'], ...Object.fromEntries(said) }
  return readDefinition({ ...draft, name: 'Draft', entities: [name] })
}

type Limits = Pick<PolicyDefinition, 'allow' | 'where' | 'fields'>

/** Of a record that is created, only what it must meet afterwards is known. */
const ruleOf = ({ allow, where, check, fields }: PolicyDefinition, action: string): Limits => ({
  allow,
  fields,
  where: action === 'write' ? (check ?? where) : where,
})

type Draft = Limits & { entity: Entity; entities: readonly Entity[] }

/** Somebody who may read what the policy concerns, whether it allows or denies it, and nothing else. */
async function readerBy(
  db: Db,
  { allow, where = [], fields, entity, entities }: Draft,
  userId?: string,
): Promise<Actor> {
  const rule: PolicyRule = {
    ...{ entities: [entity.name.toLowerCase()], actions: ['read'], allow: true, where },
    ...(fields ? { fields } : {}),
  }
  const who = { type: 'user', id: userId ?? '', name: 'Preview', address: null } as const
  const profile = userId === undefined ? {} : namedParts([rule], await profileOf(db, userId))
  const reader: Actor = { ...who, userId: userId ?? null, roles: [], scopes: null, profile }
  const fieldOf = fieldResolver(wholeTarget(entity, entities))
  const place = placeOf(rule, where, { entity, actor: reader, fieldOf })
  // To whom a value is missing, a policy denies all that it names.
  const concerned = place === 'missing' && !allow ? { ...rule, where: [] } : rule
  return { ...reader, policies: [concerned] }
}

async function profileOf(db: Db, userId: string) {
  const [user] = await db.select({ profile: users.profile }).from(users).where(eq(users.id, userId))
  if (user) return user.profile
  throw new AppError('not_found', 'There is no user with this id')
}
