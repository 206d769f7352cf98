import { recordAudit } from '@/lib/audit/record-audit'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { deleteUser, lockAdministrators, lockUser } from '@/lib/users/store'
import type { JsonObject } from '@/lib/values/json'
import { assignRoles, type Caller } from './assign-roles'
import { USER_SCHEMA } from './attributes'
import type { PatchBody, Resource } from './contract'
import { applyPatch } from './patch/apply-patch'
import { readUser, type UserDraft } from './read-user'
import { requireVersion } from './require-version'
import {
  findManaged,
  insertManaged,
  isAdministrator,
  requireAdministratorLeft,
  requireAdoptable,
  storeManaged,
} from './store-user'
import { draftOf, toUserResource, versionOf } from './user-resource'
import { getUserView } from './user-view'

type Source = Pick<Deps, 'db'>
/** `ifMatch`: the header, or null; `base`: the address of `/api/scim/v2`. */
export type Request = Caller & { ifMatch: string | null; base: string }

/** Creates an account. Throws `invalidValue`, and `uniqueness` for a taken email. */
export const createScimUser = (
  { db }: Source,
  body: JsonObject,
  request: Request,
): Promise<Resource> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const id = await insertManaged(tx, readUser(body))
    const resource = toUserResource(await getUserView(tx, id), request.base)
    const { userName, active } = resource
    const after = { email: userName as string, active: active as boolean }
    await record(tx, request, { action: 'users.create', id, details: { after } })
    return resource
  })

/** Replaces what the identity provider said of a user. Throws as `changeScimUser`. */
export const replaceScimUser = (
  deps: Source,
  id: string,
  body: JsonObject,
  request: Request,
): Promise<Resource> => change(deps, id, request, () => body)

/**
 * Changes attributes of a user, all or none. Throws `not_found`, `precondition_failed`, what `applyPatch` does, `uniqueness`
 * for a taken email, and `mutability` for the last administrator and for one who is not managed.
 */
export const changeScimUser = (
  deps: Source,
  id: string,
  body: PatchBody,
  request: Request,
): Promise<Resource> => change(deps, id, request, (before) => applyPatch(before, body, USER_SCHEMA))

const change = (
  { db }: Source,
  id: string,
  request: Request,
  changed: (before: JsonObject) => JsonObject,
): Promise<Resource> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const before = await lockUser(tx, id)
    const view = await getUserView(tx, id)
    const resource = toUserResource(view, request.base)
    requireVersion(request.ifMatch, versionOf(resource))
    // What the request does not say stays as it is: an account that waits is not active, and not to be deactivated by it.
    const { active: _, ...known } = draftOf(view)
    await store(tx, before, readUser(changed(known)), request)
    return toUserResource(await getUserView(tx, id), request.base)
  })

async function store(tx: Db, before: UserRow, draft: UserDraft, request: Request): Promise<void> {
  const managed = await findManaged(tx, before.id)
  requireAdoptable(before, managed)
  const changed = await storeManaged(tx, before, managed, draft)
  if (changed.includes('status') && before.status === 'ACTIVATED' && isAdministrator(before))
    await requireAdministratorLeft(tx)
  if (changed.length > 0) {
    const { email, active } = draft
    const details = {
      changed,
      before: { email: before.email, status: before.status },
      after: { email, ...(active === undefined ? {} : { active }) },
    }
    await record(tx, request, { action: 'users.update', id: before.id, details })
  }
  await assignRoles(tx, [before.id], request)
}

/** Deletes the account. Throws `not_found`, `precondition_failed`, and `mutability` as `changeScimUser`. */
export const removeScimUser = ({ db }: Source, id: string, request: Request): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const before = await lockUser(tx, id)
    const resource = toUserResource(await getUserView(tx, id), request.base)
    requireVersion(request.ifMatch, versionOf(resource))
    requireAdoptable(before, await findManaged(tx, id))
    await deleteUser(tx, id)
    if (before.status === 'ACTIVATED' && isAdministrator(before)) await requireAdministratorLeft(tx)
    const { email, roles, status } = before
    const details = { before: { email, roles, status } }
    await record(tx, request, { action: 'users.delete', id, details })
  })

type Entry = { action: string; id: string; details: JsonObject }

const record = (tx: Db, { actor, requestId }: Request, { action, id, details }: Entry) =>
  recordAudit(tx, actor, { action, objectType: 'user', objectId: id, details, requestId })
