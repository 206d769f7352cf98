import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'

/** How long a change of roles and policies can be undone. */
const UNDO_DAYS = 7

type Of<Kind, State> = {
  kind: Kind
  id: string
  name: string
  before: State | null
  after: State | null
}

/** What a change made of a policy, a role, or the roles that somebody has; null: it did not exist. */
export type FormerState =
  | Of<'policy', PolicyDefinition>
  | Of<'role', RoleDefinition>
  | Of<'user' | 'key', { roles: string[] }>

/** Keeps what a change replaced, to be undone for a week. `others`: the number of states that `keepRoles` has added. */
export async function keepFormer(
  tx: Db,
  kind: 'policy' | 'role',
  name: string,
  actor: Pick<Actor, 'name'>,
  states: readonly FormerState[],
  { batchId = randomUUID(), others = 0 } = {},
): Promise<string> {
  await tx.insert(trashBatches).values({
    ...{ id: batchId, kind, entity: name, columns: [], keys: ['name'], properties: [] },
    recordCount: states.length + others,
    deletedBy: actor.name,
    expiresAt: sql`now() + make_interval(days => ${UNDO_DAYS}::int)`,
  })
  if (states.length > 0)
    await tx.insert(trashRecords).values(states.map((data) => ({ batchId, data })))
  return batchId
}
