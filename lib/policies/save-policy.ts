import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { type PolicyRow, policies } from '@/lib/db/schema'
import { type Db, lower, one } from '@/lib/db/sql'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import type { JsonObject } from '@/lib/values/json'
import { faultsOfPolicy } from './check-policy'
import { columnsOf } from './define-policy'
import { keepFormer } from './former-states'
import { findPolicy, toPolicy } from './list-policies'
import type { CreatePolicyBody, Policy, UpdatePolicyBody } from './policy-contract'
import { readDefinition, refused } from './read-definition'
import { requireGrant } from './require-grant'

/** Beside those of plugins. */
const MAX_POLICIES = 1_000

type By = { actor: Actor; requestId: string }
type Changed = { policy: Policy; batchId?: string }

/**
 * Makes a policy, which applies from the commit on. Throws `conflict` for a taken name and beyond `MAX_POLICIES`, `invalid_input` that names all
 * that does not fit, and `forbidden` for a policy that allows what the caller may not do.
 */
export const createPolicy = (
  { db }: Pick<Deps, 'db'>,
  body: CreatePolicyBody,
  by: By,
): Promise<Policy> =>
  definitionTransaction(db, async (tx) => {
    const definition = readDefinition(body)
    await requireSound(tx, definition, undefined, by.actor)
    if ((await tx.$count(policies, isNull(policies.pluginId))) >= MAX_POLICIES)
      throw new AppError('conflict', `There are ${MAX_POLICIES} policies, the most that are kept`)
    const values = { name: definition.name, definition, pluginId: null, ...columnsOf(definition) }
    const row = one(await tx.insert(policies).values(values).returning())
    await recordAudit(tx, by.actor, entryOf('create', row, { after: row.definition }, by))
    return toPolicy(row)
  })

/**
 * Changes the given properties; null takes one away. One that no longer fits is mended by what it limits. What changes nothing
 * is neither recorded nor undone. Throws as `createPolicy` does, `not_found`, and `conflict` for a policy of a plugin.
 */
export const updatePolicy = (
  { db }: Pick<Deps, 'db'>,
  id: string,
  changes: UpdatePolicyBody,
  by: By,
): Promise<Changed> =>
  definitionTransaction(db, async (tx) => {
    const before = await localPolicy(tx, id)
    const merged = Object.entries({ ...before.definition, ...changes })
    const definition = readDefinition(
      Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined)),
    )
    await requireSound(tx, definition, before, by.actor)
    const { name } = definition
    const invalid = LIMITS.some((key) => changes[key] !== undefined) ? null : before.invalid
    if (invalid === before.invalid && isDeepStrictEqual(definition, before.definition))
      return { policy: toPolicy(before) }
    const set = { name, definition, invalid, ...columnsOf(definition) }
    const row = one(await tx.update(policies).set(set).where(eq(policies.id, id)).returning())
    const states = { before: before.definition, after: row.definition }
    await recordAudit(tx, by.actor, entryOf('update', row, states, by))
    const batchId = await keepFormer(tx, 'policy', name, by.actor, [
      { kind: 'policy', id, name, ...states },
    ])
    return { policy: toPolicy(row), batchId }
  })

/** What can be mended of a policy that no longer fits. */
const LIMITS = ['entities', 'where', 'fields', 'set', 'check'] as const

/** Throws `not_found`, `conflict` for a policy of a plugin, and `forbidden` for one that denies what the caller
 * may not do. */
export const deletePolicy = (
  { db }: Pick<Deps, 'db'>,
  id: string,
  by: By,
): Promise<{ batchId: string }> =>
  definitionTransaction(db, async (tx) => {
    const before = await localPolicy(tx, id)
    requireGrant(by.actor, before, null)
    await tx.delete(policies).where(eq(policies.id, id))
    const states = { before: before.definition, after: null }
    await recordAudit(tx, by.actor, entryOf('delete', before, states, by))
    const { name } = before
    const former = [{ kind: 'policy', id, name, ...states }] as const
    return { batchId: await keepFormer(tx, 'policy', name, by.actor, former) }
  })

/** Throws as `createPolicy` does. */
export async function requireSound(
  tx: Db,
  definition: PolicyDefinition,
  before: PolicyRow | undefined,
  actor: Actor,
): Promise<void> {
  const same = eq(lower(policies.name), lower(definition.name))
  const isOther = before ? ne(policies.id, before.id) : undefined
  const [taken] = await tx.select().from(policies).where(and(same, isOther))
  if (taken) throw new AppError('conflict', `There is a policy "${taken.name}" already`)
  const options = { needsEntities: true }
  const faults = await faultsOfPolicy(tx, definition, before?.definition, options)
  if (faults.length > 0) throw refused(faults)
  requireGrant(actor, before, definition)
}

async function localPolicy(tx: Db, id: string): Promise<PolicyRow> {
  const found = await findPolicy(tx, id, { lock: true })
  if (found.pluginId === null) return found
  throw new AppError(
    'conflict',
    `The policy "${found.name}" belongs to the plugin ${found.pluginId}, which alone changes it; make a policy here that denies what it allows`,
  )
}

type States = { before?: PolicyDefinition; after: PolicyDefinition | null }

const entryOf = (action: string, { id, name }: PolicyRow, states: States, { requestId }: By) => ({
  action: `policies.${action}`,
  objectType: 'policy',
  objectId: id,
  details: { name, ...states } as JsonObject,
  requestId,
})
