import type { PluginManifest } from '@/lib/archives/manifests'
import { openArchive } from '@/lib/archives/open-archive'
import { type ParsedPlugin, parsePlugin, statedTarget } from '@/lib/archives/parse-plugin'
import { readSigned } from '@/lib/archives/signed-files'
import { requireStill } from '@/lib/auth/actor-now'
import { currentBudget, giveUpInTime, withOwnBudget } from '@/lib/db/budget'
import type { DefinitionName, InstallRow } from '@/lib/db/schema'
import type { Lock } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { registryChanged } from '@/lib/registry/registry'
import type { Signed } from '@/lib/signatures/signature'
import { settlePending } from '@/lib/tables/settle-pending'
import { requireBasis } from './basis'
import { allowCancellation, cancelledBy, watchCancellation } from './cancel-install'
import { InstallClosedError, ignoredReport, insertFileReports, saveDefined } from './file-report'
import {
  closeAfterError,
  closeCancelled,
  closeInstall,
  installLock,
  type NewInstall,
  nextInstallId,
  openInstall,
  pluginLock,
  progressAnnouncer,
} from './history-entries'
import type { InstallRequest } from './install-request'
import { requireNamed } from './require-named'
import { requireSignature } from './require-signature'
import { runPlan } from './run/run-install'
import { inSlot, installsStop, recordRunning, stopped } from './running-installs'
import { planUnlessChanged } from './seal/plan-with-seal'
import { getInstall, requireClearName } from './store'
import { sweepInstalls } from './sweep-installs'

type Started = { install: InstallRow; done: Promise<InstallRow> }
type Running = InstallRequest & {
  id: number
  plugin: ParsedPlugin
  signed: Signed | null
  cancel: AbortController
}

/**
 * Installs a plugin archive. Resolves as soon as the install is in the history (`install.id`);
 * `done` resolves with its final row.
 *
 * Throws `invalid_input` or `too_large` for faults of the archive as a whole: then only the refusal is
 * recorded in the history, if the manifest could be read. Throws `unavailable` when other archives
 * take all slots for too long, and `conflict` when the request's seal does not hold. `done` rejects with `conflict` when another install of the plugin takes
 * too long, and with the error that ended the install where no file caused it.
 */
export function installPlugin(deps: Deps, request: InstallRequest): Promise<Started> {
  const cancel = new AbortController()
  const signal = AbortSignal.any([installsStop, cancel.signal])
  const { request: asked } = currentBudget()
  return withOwnBudget({ waitLimitMs: WAIT_LIMIT_MS, signal, request: asked }, () => {
    const starting = inSlot(deps, () => begin(deps, request, cancel))
    recordRunning(starting.then(({ done }) => done))
    return starting
  })
}

/** An install outlives its request, and tolerates longer outages of the database than others. */
const WAIT_LIMIT_MS = 30_000

/** From the request to the entry in the history. */
async function begin(
  deps: Deps,
  request: InstallRequest,
  cancel: AbortController,
): Promise<Started> {
  const id = await nextInstallId(deps.db)
  // It opens a connection, while the archive is unpacked.
  const locking = deps.locks.take(installLock(id), 0)
  locking.catch(() => {}) // thrown when it is awaited
  try {
    const { plugin, signed, history } = await readOrRefuse(deps, request, id)
    // Again under the plugin's lock; here so that most refusals are not in the history.
    if (request.seal !== undefined) await planUnlessChanged(deps, plugin, { ...request, signed })
    const files = plugin.files.map((file) => ({ path: file.path, target: statedTarget(file) }))
    const { also } = request
    const planned = also ? [...files, { path: also.path, target: null }] : files
    const lock = await locking
    const install = await deps.db.transaction((tx) =>
      openInstall(tx, request, { ...history, planned }),
    )
    return { install, done: carryOut(deps, { ...request, id, plugin, signed, cancel }, lock) }
  } catch (error) {
    await locking.then(
      (lock) => lock.release(),
      () => {},
    )
    throw error
  }
}

/** From the entry in the history to its end. */
async function carryOut(deps: Deps, install: Running, lock: Lock): Promise<InstallRow> {
  const { id, plugin } = install
  const forbidCancellation = allowCancellation(id, install.cancel)
  const endWatch = watchCancellation(deps, install)
  try {
    await holdPlugin(deps, install, lock)
    await settlePending(deps.db, { pluginIds: [plugin.manifest.id] })
    // The plugin's other installs have ended by now.
    await requireBasis(deps.db, plugin.manifest.id, install.basis)
    const { signer } = await requireSignature(deps, plugin.manifest, install)
    const plan = await planUnlessChanged(deps, plugin, install)
    await recordIgnored(deps, id, plugin.ignored)
    const actor = await requireStill(deps.db, install.actor, ['plugins:install'])
    const defined = await runPlan(deps, plan, { ...install, actor, signer })
    await close(deps, install, defined)
  } catch (error) {
    await closeEarly(deps, install, error)
  } finally {
    endWatch()
    forbidCancellation()
    await lock.release()
  }
  return withOwnBudget({}, () => getInstall(deps.db, id))
}

/** Waits for the plugin's other installs. */
async function holdPlugin(deps: Deps, { id, plugin }: Running, lock: Lock): Promise<void> {
  const pluginId = plugin.manifest.id
  const taken = lock.also(pluginLock(pluginId), deps.settings.INSTALL_WAIT_MS)
  await giveUpInTime(taken, currentBudget(), () => {}).catch(sayWhichPlugin(pluginId))
  // An earlier one that lost its lock may still run: once closed, it can write nothing more.
  await sweepInstalls(deps, pluginId, id)
}

async function recordIgnored(deps: Deps, id: number, ignored: ParsedPlugin['ignored']) {
  const reports = ignored.map(ignoredReport)
  if (reports.length > 0) await deps.db.transaction((tx) => insertFileReports(tx, id, reports))
}

/** Throws `InstallClosedError` when another process closed it. */
async function close(
  deps: Deps,
  { id, plugin }: Running,
  defined: readonly DefinitionName[],
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await saveDefined(tx, plugin.manifest.id, id, defined)
    if (!(await closeInstall(tx, id, 'Interrupted', [])))
      throw new InstallClosedError('The installation was closed before its end')
  })
  await progressAnnouncer(deps, id)({ now: true })
}

/** Throws the error again unless the install was cancelled, or closed by a process that recorded the reason. */
async function closeEarly(deps: Deps, install: Running, thrown: unknown): Promise<void> {
  const by = cancelledBy(install.id)
  if (by !== null) return withOwnBudget({}, () => closeAsCancelled(deps, install, by))
  if (thrown instanceof InstallClosedError) return
  const error = installsStop.aborted ? stopped() : thrown
  // The install's own budget may be used up.
  await withOwnBudget({}, () => closeAfterError(deps, install.id, error))
  throw error
}

/** Its files may have changed definitions before. */
async function closeAsCancelled(deps: Deps, install: Running, by: string): Promise<void> {
  await deps.db.transaction((tx) => closeCancelled(tx, install, by))
  await registryChanged(deps)
}

const sayWhichPlugin = (id: string) => (error: unknown) => {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  const message = `Another installation of the plugin "${id}" is running; try again when it is done`
  throw new AppError('conflict', message)
}

type ReadArchive = {
  plugin: ParsedPlugin
  signed: Signed | null
  history: Omit<NewInstall, 'planned'>
}

/** A refused archive is recorded in the history too, if its manifest can be read. */
async function readOrRefuse(deps: Deps, request: InstallRequest, id: number): Promise<ReadArchive> {
  const archive = await openArchive(await request.loadArchive(), deps.settings)
  const history = historyOf(id, request, archive.manifest)
  try {
    const signed = await readSigned(archive)
    requireNamed(archive.manifest, signed, request.named)
    await requireClearName(deps.db, archive.manifest)
    const { signature } = await requireSignature(deps, archive.manifest, { ...request, signed })
    const plugin = await parsePlugin(archive, deps.settings)
    return { plugin, signed, history: { ...history, signature } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await deps.db.transaction(async (tx) => {
      await openInstall(tx, request, { ...history, planned: [] })
      await closeInstall(tx, history.id, 'Interrupted', [error.message])
    })
    throw error
  }
}

const historyOf = (
  id: number,
  { source, sha256, mode, actor }: InstallRequest,
  manifest: PluginManifest,
) => ({
  ...{ id, manifest, source: source.slice(0, 255), sha256, mode },
  installedBy: actor.name,
  signature: null,
})
