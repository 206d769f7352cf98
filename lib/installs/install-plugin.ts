import type { PluginManifest } from '@/lib/archives/manifests'
import { openArchive } from '@/lib/archives/open-archive'
import { type ParsedPlugin, parsePlugin, statedTarget } from '@/lib/archives/parse-plugin'
import { currentBudget, giveUpInTime, withOwnBudget } from '@/lib/db/budget'
import type { InstallRow } from '@/lib/db/schema'
import type { Lock } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { registryChanged } from '@/lib/registry/registry'
import { allowCancellation, cancelledBy, watchCancellation } from './cancel-install'
import {
  closeAfterError,
  closeCancelled,
  closeInstall,
  installLock,
  type NewInstall,
  nextInstallId,
  openInstall,
  pluginLock,
} from './history-entries'
import type { InstallRequest } from './install-request'
import { InstallClosedError } from './record-files'
import { runInstall } from './run/run-install'
import { installsStop, noteInstall, stopped, takeSlot } from './running-installs'
import { planUnlessChanged } from './seal/plan-with-seal'
import { getInstall, requireClearName } from './store'
import { sweepInstalls } from './sweep-installs'

type Started = { install: InstallRow; done: Promise<InstallRow> }

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
  return withOwnBudget({ patienceMs: PATIENCE_MS, signal, request: asked }, () => {
    const starting = takeSlotAndStart(deps, request, cancel)
    noteInstall(starting.then(({ done }) => done))
    return starting
  })
}

/** An install outlives its request, and tolerates longer outages of the database than others. */
const PATIENCE_MS = 30_000

async function takeSlotAndStart(
  deps: Deps,
  request: InstallRequest,
  cancel: AbortController,
): Promise<Started> {
  const release = await takeSlot(deps, installsStop)
  try {
    const started = await start(deps, request, cancel)
    started.done.then(release, release)
    return started
  } catch (error) {
    release()
    throw error
  }
}

async function start(
  deps: Deps,
  request: InstallRequest,
  cancel: AbortController,
): Promise<Started> {
  const id = await nextInstallId(deps.db)
  // It opens a connection, while the archive is unpacked.
  const locking = deps.locks.take(installLock(id), 0)
  locking.catch(() => {}) // thrown when it is awaited
  try {
    const { plugin, history } = await readOrRefuse(deps, request, id)
    // Again under the plugin's lock; here so that most refusals are not in the history.
    if (request.seal !== undefined) await planUnlessChanged(deps.db, plugin, request)
    const planned = plugin.files.map((file) => ({ path: file.path, target: statedTarget(file) }))
    const lock = await locking
    const install = await deps.db.transaction((tx) =>
      openInstall(tx, request, { ...history, planned }),
    )
    const done = carryOut(deps, { ...request, id, plugin, cancel }, lock)
    return { install, done }
  } catch (error) {
    await locking.then(
      (lock) => lock.release(),
      () => {},
    )
    throw error
  }
}

type Install = InstallRequest & { id: number; plugin: ParsedPlugin; cancel: AbortController }

/** Runs an install that is in the history; closes it and releases its lock. */
async function carryOut(deps: Deps, install: Install, lock: Lock): Promise<InstallRow> {
  const forget = allowCancellation(install.id, install.cancel)
  const endWatch = watchCancellation(deps, install.id)
  try {
    await waitAndRun(deps, install, lock)
    return await withOwnBudget({}, () => getInstall(deps.db, install.id))
  } finally {
    endWatch()
    forget()
    await lock.release()
  }
}

/** Waits for the plugin's other installs and runs this one. */
async function waitAndRun(deps: Deps, install: Install, lock: Lock): Promise<void> {
  const pluginId = install.plugin.manifest.id
  try {
    const taken = lock.also(pluginLock(pluginId), deps.settings.INSTALL_WAIT_MS)
    await giveUpInTime(taken, currentBudget(), () => {}).catch(sayWhichPlugin(pluginId))
    // An earlier one that lost its lock may still run: once closed, it can write nothing more.
    await sweepInstalls(deps, pluginId)
    await runInstall(deps, install)
  } catch (thrown) {
    const by = cancelledBy(install.id)
    if (by !== null) return withOwnBudget({}, () => noteCancelled(deps, install, by))
    if (thrown instanceof InstallClosedError) return // the process that closed it recorded the reason
    const error = installsStop.aborted ? stopped() : thrown
    // The install's own budget may be used up.
    await withOwnBudget({}, () => closeAfterError(deps, install.id, error))
    throw error
  }
}

/** Its files may have changed definitions before. */
async function noteCancelled(deps: Deps, install: Install, by: string): Promise<void> {
  await deps.db.transaction((tx) => closeCancelled(tx, install, by))
  await registryChanged(deps)
}

const sayWhichPlugin = (id: string) => (error: unknown) => {
  if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  const message = `Another installation of the plugin "${id}" is running; try again when it is done`
  throw new AppError('conflict', message)
}

type Read = { plugin: ParsedPlugin; history: Omit<NewInstall, 'planned'> }

/** A refused archive is recorded in the history too, if its manifest can be read. */
async function readOrRefuse(deps: Deps, request: InstallRequest, id: number): Promise<Read> {
  const archive = await openArchive(await request.loadArchive(), deps.settings)
  const history = historyOf(id, request, archive.manifest)
  try {
    await requireClearName(deps.db, archive.manifest)
    return { plugin: await parsePlugin(archive, deps.settings), history }
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
) => ({ id, manifest, source: source.slice(0, 255), sha256, mode, installedBy: actor.name })
