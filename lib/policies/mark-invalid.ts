import { eq, sql } from 'drizzle-orm'
import { policies } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { loadEntities } from '@/lib/registry/registry'
import type { Json } from '@/lib/values/json'
import { parsePolicy } from './parse-policy'
import { entitiesOf, isLimited, policyFaults } from './policy-faults'
import { usedFields } from './used-fields'

/**
 * Runs `work`, which changes definitions, and marks in the same transaction the policies that no longer fit their
 * entities, which deny from its commit on, and those that fit again. Returns what it marked, in words.
 */
export async function markingPolicies<T>(
  tx: Db,
  work: () => Promise<T>,
): Promise<{ done: T; notes: string[] }> {
  const isAny = (await limitedPolicies(tx)).length > 0
  const before = isAny ? await loadEntities(tx) : []
  const done = await work()
  return { done, notes: isAny ? await mark(tx, before) : [] }
}

async function limitedPolicies(tx: Db) {
  const all = await tx.select().from(policies)
  return all.filter(({ definition, invalid }) => invalid !== null || isLimited(definition))
}

async function mark(tx: Db, before: readonly Entity[]): Promise<string[]> {
  const after = await loadEntities(tx)
  const notes: string[] = []
  for (const { id, name, definition, invalid } of await limitedPolicies(tx)) {
    const isMarked = invalid !== null
    const added = addedTo(definition, before, after)
    const [then, now] = [before, after].map((all) => whyInvalid(definition, all, added, isMarked))
    if (!isMarked) notes.push(...added.flatMap((entity) => newNotes(definition, entity, after)))
    const why = isMarked ? now : (whyRemoved(definition, before, after) ?? now)
    // A dry run sees only what its archive can affect: what was no fault of this change is none.
    if (isMarked ? why !== null || then === null : why === null || then !== null) continue
    const set = { invalid: why ?? null, updatedAt: sql`${policies.updatedAt}` }
    await tx.update(policies).set(set).where(eq(policies.id, id))
    notes.push(
      why
        ? `The policy "${name}" no longer fits, and denies all that it names until it is mended: ${why}`
        : `The policy "${name}" fits its entities again`,
    )
  }
  return notes
}

/** Of one that is marked, undeclared fields are faults: it may name what a declared field was called. */
function whyInvalid(
  definition: PolicyDefinition,
  entities: readonly Entity[],
  added: readonly Entity[],
  isMarked: boolean,
): string | null {
  // What was stored before its keys had a meaning may be anything.
  const parsed = parsePolicy(definition as Json)
  if ('faults' in parsed)
    return parsed.faults.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')
  const concerned = entitiesOf(parsed.definition, entities).filter((one) => !added.includes(one))
  const [fault] = policyFaults(parsed.definition, entities, { onlyDeclared: isMarked, concerned })
  return fault ? `${fault.field}: ${fault.error}` : null
}

/**
 * New entities that a policy about all of them concerns: one that it does not fit is no reason to mark it, since an install
 * could take all rights away by that. `ruleOf` grants nothing of it.
 */
const addedTo = (
  { entities: names }: PolicyDefinition,
  before: readonly Entity[],
  after: readonly Entity[],
): Entity[] =>
  names.includes('*')
    ? after.filter((entity) => !before.some(({ name }) => isOrWas(entity, name)))
    : []

function newNotes(definition: PolicyDefinition, entity: Entity, all: readonly Entity[]): string[] {
  const [fault] = policyFaults(definition, all, { concerned: [entity] })
  if (!fault) return []
  const effect = definition.allow ? 'allows nothing of it' : 'denies all of it'
  const why = `${fault.field}: ${fault.error}`
  return [`The policy "${definition.name}" does not fit ${entity.name} and ${effect}: ${why}`]
}

/** Why a declared field that a policy names is none any more; null: all are. */
function whyRemoved(
  definition: PolicyDefinition,
  before: readonly Entity[],
  after: readonly Entity[],
): string | null {
  for (const { entity, field, place } of usedFields(definition, before)) {
    const present = after.find((one) => isOrWas(one, entity))
    if (!present || present.properties.some(({ name }) => name === field)) continue
    const heir = present.properties.find(({ renamedFrom = [] }) => renamedFrom.includes(field))
    const now = heir ? `; it is called "${heir.name}" now` : ''
    return `${place}: ${present.name} has no field "${field}" any more${now}`
  }
  return null
}

const isOrWas = ({ name, definition }: Entity, former: string) =>
  name === former || (definition.renamedFrom ?? []).includes(former)
