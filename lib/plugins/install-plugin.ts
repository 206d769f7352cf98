import { createHash, randomUUID } from 'node:crypto'
import type { Actor } from '@/lib/auth/rights'
import type { InstallRow } from '@/lib/db/schema'
import { AppError, messageOf } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import { readArchive } from './archive/read-archive'
import type { InstallMode } from './contract'
import { type ParsedPlugin, parsePlugin, readPlugin, statedTarget } from './parse-plugin'
import { runInstall } from './run-install'
import { closeInstall, getInstall, insertInstall, type NewInstall } from './store'

/** How long an install waits for another one of the same plugin before it is refused. */
const LOCK_TIMEOUT_MS = 30_000

export type InstallRequest = {
  archive: Uint8Array
  /** Name of the archive, as the client gave it; shown, never used as a path. */
  source: string
  mode: InstallMode
  actor: Actor
  requestId: string
}

/**
 * Installs a plugin archive. Resolves as soon as the install is in the history (`install.id`);
 * `done` resolves with its terminal row when it is over.
 *
 * Throws `invalid_input` or `too_large` for an archive at fault as a whole: nothing is written then but
 * the refusal in the history, if the manifest could be read. `done` rejects with `conflict` when another
 * install of the plugin takes too long, and with what ended the install where that is nobody's file.
 */
export async function installPlugin(
  deps: Deps,
  request: InstallRequest,
): Promise<{ install: InstallRow; done: Promise<InstallRow> }> {
  const archive = await readArchive(request.archive, deps.settings)
  const files = new Map(archive.map(({ path, bytes }) => [path, bytes]))
  const history = historyOf(request, files)
  const plugin = await parseOrRefuse(deps, files, history)
  const planned = plugin.files.map((file) => ({ path: file.path, target: statedTarget(file) }))

  let opened = () => {}
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const run = deps.locks.hold(installLock(history.id), 0, async (also) => {
    await insertInstall(deps.db, { ...history, planned })
    opened()
    await also(`plugin:${plugin.manifest.id}`, LOCK_TIMEOUT_MS)
    await runInstall(deps, { ...request, id: history.id, plugin })
  })
  const done = run.then(
    () => getInstall(deps.db, history.id),
    (error) => closeAfterError(deps, history.id, error),
  )
  await Promise.race([isOpen, done]) // an install that can't be opened is rejected here
  return { install: await getInstall(deps.db, history.id), done }
}

/** Held for as long as the install runs: whoever finds it free may close what it left. */
export const installLock = (id: string) => `install:${id}`

function historyOf(
  request: InstallRequest,
  files: ReadonlyMap<string, Uint8Array>,
): Omit<NewInstall, 'planned'> {
  const { archive, source, mode, actor } = request
  return {
    id: randomUUID(),
    manifest: readPlugin(files).manifest,
    source: source.slice(0, 255),
    sha256: createHash('sha256').update(archive).digest('hex'),
    mode,
    installedBy: actor.name,
  }
}

/** A refused archive has its place in the history too. */
async function parseOrRefuse(
  deps: Deps,
  files: ReadonlyMap<string, Uint8Array>,
  history: Omit<NewInstall, 'planned'>,
): Promise<ParsedPlugin> {
  try {
    return parsePlugin(files)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await deps.db.transaction(async (tx) => {
      await insertInstall(tx, { ...history, planned: [] })
      await closeInstall(tx, history.id, 'Interrupted', [error.message])
    })
    throw error
  }
}

async function closeAfterError(deps: Deps, id: string, error: unknown): Promise<never> {
  const message = error instanceof AppError ? error.message : 'The installation ended unexpectedly'
  deps.log.error(
    { installId: id, error: messageOf(error).slice(0, 500) },
    'installation ended early',
  )
  // Should the database be away, the sweep closes it when it is back.
  await deps.db
    .transaction((tx) => closeInstall(tx, id, 'Interrupted', [message]))
    .catch((cause) =>
      deps.log.error(
        { installId: id, error: messageOf(cause).slice(0, 200) },
        'installation left to the sweep',
      ),
    )
  throw error
}
