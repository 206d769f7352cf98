import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, can } from '@/lib/auth/rights'
import { databaseError } from '@/lib/db/errors'
import { preferHashJoins } from '@/lib/db/planner'
import { type InstallRow, installs } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { Decisions, RollbackQuery } from '@/lib/installs/contract'
import { decidedKeys, deciderOf, decisionsText, refuseUnmet } from '@/lib/installs/decisions'
import { type FileReport, insertFileReports } from '@/lib/installs/file-report'
import { closeInstall, nextInstallId } from '@/lib/installs/history-entries'
import { getInstall } from '@/lib/installs/store'
import { registryChanged } from '@/lib/registry/registry'
import { isRecordError } from '@/lib/rows/load-records'
import { recordedDefinitions } from './changes/record-definitions'
import { changeDefinitions, holdPlugins } from './hold-plugins'
import { undoAll } from './undo/undo-install'
import { undoneEntities } from './undo/undo-records'
import { hasLeft, type Undo } from './undo/undo-source'

type Request = RollbackQuery & {
  id: number
  decisions?: Decisions | undefined
  actor: Actor
  requestId: string
}
type Outcome = {
  install: InstallRow
  reports: FileReport[]
  seal: string
  /** Before the rollback. */
  installedVersion: string | null
}

/**
 * Undoes an install: created records go to the trash, changed and deleted ones and definitions are as
 * before. What was edited since is kept or rolled back, as the request says. One transaction, which is in
 * the history as an install of its own; a dry run does it and rolls it back. Throws `not_found`,
 * `forbidden`, `invalid_input` for decisions about records without a conflict, and `conflict` for an install that is not the last one, is no longer remembered, or cannot be undone.
 */
export async function rollbackInstall(deps: Deps, request: Request): Promise<Outcome> {
  const { pluginId } = await getInstall(deps.db, request.id)
  const work = () => changeDefinitions(deps, (tx) => rollback(tx, request))
  try {
    const outcome = await holdPlugins(deps, pluginId === null ? [] : [pluginId], work)
    await registryChanged(deps)
    return outcome
  } catch (error) {
    if (error instanceof Predicted) return error.outcome
    if (isRecordError(error)) throw refused(error)
    throw error
  }
}

/** Ends the transaction of a dry run. */
class Predicted extends Error {
  constructor(readonly outcome: Outcome) {
    super('Nothing is written')
  }
}

const refused = (cause: unknown) =>
  new AppError(
    'conflict',
    `The records can't become as before: other records refer to them or take their values (${databaseError(cause)?.constraint ?? 'a rule of the database'}). Nothing was changed`,
    { cause },
  )

async function rollback(tx: Db, request: Request): Promise<Outcome> {
  const { id, dryRun, onConflict, decisions, seal, actor } = request
  const undone = await undoableInstall(tx, id)
  const as = dryRun ? DRY_RUN_ID : await nextInstallId(tx)
  const undo: Undo = {
    pluginId: undone.pluginId ?? '',
    installId: id,
    ofRollback: undone.kind === 'rollback',
    hasLeft: await hasLeft(tx, id),
    as,
    deciders: (entity) => deciderOf(onConflict, decisions?.[entity]),
  }
  await requireRights(tx, undo, actor)
  const concerned = (await undoneEntities(tx, undo)).map(({ name }) => name)
  const decided = decidedKeys(decisions)
  refuseUnmet(decided.filter(({ entity }) => !concerned.includes(entity)))
  const installedVersion = undone.version
  await openRollback(tx, undone, as, request)
  await tx.execute(sql`select set_config('engine.install', ${String(as)}::text, true)`)
  await tx.execute(sql`set constraints all deferred`)
  await preferHashJoins(tx)
  const reports = await undoAll(tx, undo, actor)
  await tx.execute(sql`set constraints all immediate`)
  const conflicts =
    reports.reduce((sum, { conflictCount }) => sum + conflictCount, 0) - decided.length
  if (onConflict === 'fail' && conflicts > 0)
    throw new AppError(
      'conflict',
      `${conflicts} records were changed here since; choose onConflict=keep or take`,
    )
  const found = sealOf(request, reports)
  if (seal !== undefined && seal !== found)
    throw new AppError(
      'conflict',
      'The plan no longer holds: the rollback would do something else now. Make a new plan',
    )
  await tx.update(installs).set({ totalFiles: reports.length }).where(eq(installs.id, as))
  await insertFileReports(tx, as, reports)
  await closeInstall(tx, as, 'Interrupted', [])
  const outcome = { install: await getInstall(tx, as), reports, seal: found, installedVersion }
  if (dryRun) throw new Predicted(outcome)
  return outcome
}

/** No install has this number. */
const DRY_RUN_ID = -1

async function undoableInstall(tx: Db, id: number): Promise<InstallRow> {
  const install = await getInstall(tx, id)
  const events = await tx
    .select()
    .from(installs)
    .where(
      and(
        eq(installs.pluginId, install.pluginId ?? ''),
        inArray(installs.status, ['SUCCESS', 'PARTIAL']),
      ),
    )
    .orderBy(asc(installs.id))
  const allowed = undoable(events)
  if (!allowed.includes(id)) {
    const hint = allowed.length > 0 ? `; roll back ${allowed.at(-1)} first` : ''
    throw new AppError(
      'conflict',
      `Installation ${id} is not the last one of its plugin in effect${hint}`,
    )
  }
  if ((await recordedDefinitions(tx, id)).length === 0)
    throw new AppError('conflict', `What installation ${id} changed is no longer remembered`)
  return install
}

async function requireRights(tx: Db, undo: Undo, actor: Actor): Promise<void> {
  const definitions = await recordedDefinitions(tx, undo.installId)
  const access = definitions.some(({ kind }) => kind === 'role' || kind === 'policy')
  if (access && !can(actor, 'users:manage'))
    throw new AppError(
      'forbidden',
      'The rollback changes roles or policies, which needs the right "users:manage"',
    )
  if (definitions.some(({ kind }) => kind === 'webhook') && !can(actor, 'webhooks:manage'))
    throw new AppError(
      'forbidden',
      'The rollback changes webhooks, which needs the right "webhooks:manage"',
    )
  const names = [
    ...(await undoneEntities(tx, undo)).map(({ name }) => name),
    ...definitions.flatMap(({ kind, name }) => (kind === 'entity' ? [name] : [])),
  ]
  for (const entity of new Set(names))
    for (const action of ['read', 'write', 'update', 'delete'] as const)
      if (!can(actor, { entity, action }))
        throw new AppError('forbidden', `The rollback needs the right "${entity}:${action}"`)
}

async function openRollback(
  tx: Db,
  undone: InstallRow,
  as: number,
  { actor, requestId, dryRun }: Request,
) {
  const { id, pluginId, pluginName, version, sha256 } = undone
  await tx.insert(installs).values({
    id: as,
    kind: 'rollback',
    rollbackOf: id,
    pluginId,
    pluginName,
    version,
    source: `Rollback of ${id}`,
    sha256,
    mode: 'atomic',
    status: 'IN_PROGRESS',
    installedBy: actor.name,
  })
  if (dryRun) return
  await recordAudit(tx, actor, {
    action: 'plugins.rollback',
    objectType: 'plugin',
    objectId: pluginId ?? '',
    details: { history: as, rollbackOf: id },
    requestId,
  })
}

function sealOf({ id, onConflict, decisions }: Request, reports: readonly FileReport[]): string {
  return createHash('sha256')
    .update(JSON.stringify([id, onConflict, decisionsText(decisions), reports]))
    .digest('hex')
}

type Event = Pick<InstallRow, 'id' | 'kind' | 'rollbackOf'>

/**
 * The installs of a plugin that can be undone now, given all of its events in order: the last one in
 * effect, and a rollback if nothing came after it. Pure.
 */
function undoable(events: readonly Event[]): number[] {
  const inEffect: number[] = []
  const undone = new Map<number, number>()
  for (const { id, kind, rollbackOf } of events) {
    if (kind === 'install') inEffect.push(id)
    if (kind === 'uninstall' || kind === 'restore') inEffect.length = 0
    if (kind !== 'rollback' || rollbackOf === null) continue
    const again = undone.get(rollbackOf)
    if (again === undefined) {
      undone.set(id, rollbackOf)
      if (inEffect.at(-1) === rollbackOf) inEffect.pop()
    } else inEffect.push(again)
  }
  const last = events.at(-1)
  const rollback = last?.kind === 'rollback' ? [last.id] : []
  return [...inEffect.slice(-1), ...rollback]
}
