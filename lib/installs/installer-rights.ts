import { eq } from 'drizzle-orm'
import { FileFailure } from '@/lib/archives/plugin-file'
import { type Actor, can, RECORD_ACTIONS, type Right } from '@/lib/auth/rights'
import { policies } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { Entity, EntityDefinition, InsertDuplicate } from '@/lib/definitions/definition'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import type { RegistryRow } from '@/lib/registry/registry-rows'
import type { OnRemoved } from './install-request'

/** The installer and the plugin; `created`: names of the entities that this install has created so far. */
export type Installer = { actor: Actor; pluginId: string; created: ReadonlySet<string> }

/** Throws `FileFailure` unless the installer has every right; `purpose` ends the sentence. */
export function requireInstallerRights(
  { actor }: Pick<Installer, 'actor'>,
  rights: readonly Right[],
  purpose: string,
): void {
  const missing = rights.filter((right) => !can(actor, right))
  if (missing.length === 0) return
  const who = actor.type === 'api_key' ? 'This API key' : 'Your account'
  const names = missing.map((right) => `"${nameOf(right)}"`).join(', ')
  const what = missing.length === 1 ? 'the right' : 'the rights'
  const message = `${who} lacks ${what} ${names}, ${purpose}`
  throw new FileFailure('Forbidden', [{ message }])
}

const nameOf = (right: Right) =>
  typeof right === 'string' ? right : `${right.entity}:${right.action}`

/**
 * Throws `FileFailure` unless the installer may write records of an entity that existed before, and delete those that
 * the file gives no longer where `removed` says so.
 */
export function requireDataRights(
  installer: Installer,
  { name, pluginId, definition }: Entity,
  { onDuplicate, removed }: { onDuplicate: InsertDuplicate; removed: OnRemoved },
): void {
  if (installer.created.has(name)) return
  if (removed === 'delete' && onDuplicate === 'Upsert')
    requireInstallerRights(
      installer,
      [{ entity: name, action: 'delete' }],
      'which deleting records that the archive gives no longer needs (removed=delete)',
    )
  const actions = onDuplicate === 'Upsert' ? (['write', 'update'] as const) : (['write'] as const)
  const rights = actions.map((action) => ({ entity: name, action }))
  requireInstallerRights(installer, rights, `which records with ${onDuplicate} need`)
  const closed = actions.find((action) => !definition.permissions[action])
  if (!closed || !isOthers(pluginId, installer)) return
  const message = `The definition of "${name}" forbids "${closed}", and only ${pluginId} installs its records`
  throw new FileFailure('Forbidden', [{ key: name, message }])
}

/**
 * Throws `FileFailure` for a policy that grants more than the installer has, both for the installed
 * policy and the one that replaces it: to replace a denial is to grant what it denied.
 */
export async function requirePolicyRights(
  tx: Db,
  installer: Installer,
  policy: PolicyDefinition,
): Promise<void> {
  requireInstallerRights(installer, ['users:manage'], POLICY_PURPOSE)
  const sameName = eq(lower(policies.name), lower(policy.name))
  const replaced = await tx.select().from(policies).where(sameName)
  const rights = [policy, ...replaced].flatMap(rightsIn)
  const names = new Map(rights.map((right) => [nameOf(right), right]))
  requireInstallerRights(
    installer,
    [...names.values()],
    `which the policy "${policy.name}" is about`,
  )
}

const POLICY_PURPOSE = 'which roles and policies of an archive need'
export const requireRoleRights = (installer: Installer) =>
  requireInstallerRights(installer, ['users:manage'], POLICY_PURPOSE)

export const rightsIn = ({
  entities,
  actions,
}: {
  entities: string[]
  actions: string[]
}): Right[] =>
  entities.flatMap((entity) =>
    RECORD_ACTIONS.filter((action) => actions.includes(action) || actions.includes('*')).map(
      (action) => ({ entity, action }),
    ),
  )

/**
 * Throws `FileFailure` for a change of entities of other plugins, or of none, unless the installer may
 * write and change their records, and for one that permits what the definition has forbidden unless the
 * installer has the right to it.
 */
export function requireChangeRights(
  installer: Installer,
  existing: readonly RegistryRow[],
  after?: EntityDefinition,
): void {
  for (const { row } of existing) {
    if (installer.created.has(row.name)) continue
    const entity = row.name
    if (after && after.name.toLowerCase() !== entity.toLowerCase())
      requireRenameRights(installer, entity, after.name)
    if (row.pluginId !== installer.pluginId) {
      const rights = (['write', 'update'] as const).map((action) => ({ entity, action }))
      const owner = row.pluginId === null ? ', which belongs to no plugin,' : ` of ${row.pluginId}`
      requireInstallerRights(installer, rights, `which a change of "${entity}"${owner} needs`)
    }
    const opened = RECORD_ACTIONS.filter(
      (action) => after?.permissions[action] && !row.definition.permissions[action],
    ).map((action) => ({ entity, action }))
    requireInstallerRights(installer, opened, `which the new permissions of "${entity}" open`)
  }
}

/**
 * Whoever has rights by the new name gets them to the records, so a rename needs all rights to them: whichever plugin
 * the archive claims to be.
 */
function requireRenameRights(installer: Installer, from: string, to: string): void {
  const rights = RECORD_ACTIONS.map((action) => ({ entity: from, action }))
  requireInstallerRights(installer, rights, `which renaming "${from}" to "${to}" needs`)
}

/** The entities whose stored records a change depends on and that the installer may not read. */
export const unreadable = (installer: Installer, existing: readonly RegistryRow[]) =>
  existing.map(({ row }) => row.name).filter((entity) => !mayReveal(installer, entity))

/** Whether the installer may learn what depends on stored records of the entity. */
export const mayReveal = ({ actor, created }: Installer, entity: string): boolean =>
  created.has(entity) || can(actor, { entity, action: 'read' })

/**
 * Throws `FileFailure` for new references to installed entities that the installer may not read: a
 * reference reveals which values are stored there, and keeps their records from being deleted.
 */
export function requireReferenceRights(installer: Installer, targets: readonly string[]): void {
  const rights = targets
    .filter((entity) => !mayReveal(installer, entity))
    .map((entity) => ({ entity, action: 'read' }) as const)
  requireInstallerRights(installer, rights, 'which a reference to it needs')
}

export const isOthers = (owner: string | null, { pluginId }: Pick<Installer, 'pluginId'>) =>
  owner !== null && owner !== pluginId
