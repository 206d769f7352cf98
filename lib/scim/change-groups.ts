import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { scimGroups, scimMembers, users } from '@/lib/db/schema'
import { type Db, plus, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { lockAdministrators } from '@/lib/users/store'
import type { JsonObject } from '@/lib/values/json'
import { assignRoles } from './assign-roles'
import type { Request } from './change-users'
import type { PatchBody } from './contract'
import { type GroupView, getGroupView, groupVersion, lockGroup } from './group-view'
import { type GroupDraft, patchGroup, readGroup } from './read-group'
import { requireVersion } from './require-version'
import { scimError } from './scim-error'

type Source = Pick<Deps, 'db'>

/** Creates a group. Throws `invalidValue`, and `uniqueness` for a taken name. */
export const createScimGroup = ({ db }: Source, body: JsonObject, request: Request) =>
  db.transaction(async (tx): Promise<GroupView> => {
    await lockAdministrators(tx)
    const { displayName, externalId, members } = readGroup(body)
    const query = tx.insert(scimGroups).values({ displayName, externalId }).onConflictDoNothing()
    const [made] = await query.returning({ id: scimGroups.id })
    if (!made) throw taken()
    await addMembers(tx, made.id, [...members])
    await assignRoles(tx, [...members], request)
    const details = { after: { name: displayName, members: members.size } }
    await record(tx, request, { action: 'scim-groups.create', id: made.id, details })
    return getGroupView(tx, made.id)
  })

/** Replaces a group. Throws as `changeScimGroup`. */
export const replaceScimGroup = (deps: Source, id: string, body: JsonObject, request: Request) =>
  change(deps, id, request, () => readGroup(body))

/**
 * Changes a group, wholly or not at all; of several changes at once, each sees those before. Throws `not_found`,
 * `precondition_failed`, what `patchGroup` does, `uniqueness` for a taken name, `invalidValue` for members that do not
 * exist, and `mutability` when no administrator would be left.
 */
export const changeScimGroup = (deps: Source, id: string, body: PatchBody, request: Request) =>
  change(deps, id, request, (before) => patchGroup(before, body))

const change = (
  { db }: Source,
  id: string,
  request: Request,
  changed: (before: GroupDraft) => GroupDraft,
) =>
  db.transaction(async (tx): Promise<GroupView> => {
    await lockAdministrators(tx)
    const view = await lockGroup(tx, id)
    requireVersion(request.ifMatch, groupVersion(view))
    const before = { ...view, members: await memberIds(tx, id) }
    await store(tx, before, changed(before), request)
    return getGroupView(tx, id)
  })

type Stored = GroupDraft & { id: string }

async function store(tx: Db, before: Stored, after: GroupDraft, request: Request): Promise<void> {
  const { id, members } = before
  const added = [...after.members].filter((member) => !members.has(member))
  const removed = [...members].filter((member) => !after.members.has(member))
  const { displayName, externalId } = after
  const isRenamed = displayName !== before.displayName
  const isSame = !isRenamed && externalId === before.externalId && !added.length && !removed.length
  if (!isSame) {
    if (isRenamed) await requireFree(tx, displayName, id)
    await tx
      .update(scimGroups)
      .set({ displayName, externalId, version: plus(scimGroups.version, 1) })
      .where(eq(scimGroups.id, id))
    await addMembers(tx, id, added)
    await removeMembers(tx, id, removed)
    const details = {
      before: { name: before.displayName },
      after: { name: displayName },
      ...{ added: added.length, removed: removed.length },
    }
    await record(tx, request, { action: 'scim-groups.update', id, details })
  }
  const all =
    isSame || isRenamed ? [...new Set([...members, ...after.members])] : [...added, ...removed]
  await assignRoles(tx, all, request)
}

/** Deletes a group; its members lose its roles. Throws `not_found`, `precondition_failed`, `mutability`. */
export const removeScimGroup = ({ db }: Source, id: string, request: Request): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const view = await lockGroup(tx, id)
    requireVersion(request.ifMatch, groupVersion(view))
    const members = await memberIds(tx, id)
    await tx.delete(scimGroups).where(eq(scimGroups.id, id))
    await assignRoles(tx, [...members], request)
    const details = { before: { name: view.displayName, members: members.size } }
    await record(tx, request, { action: 'scim-groups.delete', id, details })
  })

async function memberIds(tx: Db, groupId: string): Promise<Set<string>> {
  const { userId } = scimMembers
  const found = await tx
    .select({ userId })
    .from(scimMembers)
    .where(eq(scimMembers.groupId, groupId))
  return new Set(found.map((row) => row.userId))
}

const listed = (ids: readonly string[]) =>
  sql`(select value::uuid as id from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb)) listed`

async function addMembers(tx: Db, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const [missing] = await rows<{ id: string }>(
    tx,
    sql`select listed.id::text from ${listed(ids)} left join ${users} on ${users.id} = listed.id
      where ${users.id} is null limit 1`,
  )
  if (missing) throw scimError('invalidValue', `There is no user with the id ${missing.id}`)
  await tx.execute(sql`insert into ${scimMembers} (group_id, user_id)
    select ${groupId}::uuid, listed.id from ${listed(ids)} on conflict do nothing`)
}

const removeMembers = (tx: Db, groupId: string, ids: readonly string[]) =>
  tx.execute(sql`delete from ${scimMembers} using ${listed(ids)}
    where ${scimMembers.groupId} = ${groupId}::uuid and ${scimMembers.userId} = listed.id`)

async function requireFree(tx: Db, displayName: string, id: string): Promise<void> {
  const [other] = await rows<{ id: string }>(
    tx,
    sql`select ${scimGroups.id}::text as id from ${scimGroups}
      where lower(${scimGroups.displayName}) = lower(${displayName}) and ${scimGroups.id} <> ${id}::uuid`,
  )
  if (other) throw taken()
}

const taken = () => scimError('uniqueness', 'A group with this displayName already exists')

type Entry = { action: string; id: string; details: JsonObject }

const record = (tx: Db, { actor, requestId }: Request, { action, id, details }: Entry) =>
  recordAudit(tx, actor, { action, objectType: 'scim_group', objectId: id, details, requestId })
