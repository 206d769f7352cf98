import type { Deps } from '@/lib/deps'
import { privateHosts } from '@/lib/env/plugin-index'
import { AppError } from '@/lib/errors'
import type { Opening, Remote, RemoteFile } from '@/lib/remote/remote'
import type { PluginIndexFile } from './contract'
import { parseIndex } from './parse-index'

const MAX_INDEX_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 10_000
/** How long an index is not asked for again. */
const FRESH_MS = 5 * 60_000
/** The same after it could not be loaded, and where somebody asks for it now. */
const RETRY_MS = 30_000
const AGAIN_MS = 3_000

/** `failure`: why it could not be loaded since; the index is that of `loadedAt`. */
export type CurrentIndex = { index: PluginIndexFile; loadedAt: number; failure: string | null }

type Source = Pick<Deps, 'remote' | 'settings'>
type Memory = {
  address: string
  loaded: { index: PluginIndexFile; at: number } | null
  failed: { error: AppError; at: number } | null
  loading: Promise<void> | null
}

// On `globalThis`: pages and handlers are bundles with a copy of this module each.
const shared = globalThis as typeof globalThis & { __engineIndexes?: WeakMap<Remote, Memory> }
shared.__engineIndexes ??= new WeakMap()
const memories = shared.__engineIndexes

/**
 * The index at `PLUGIN_INDEX_URL`, kept for five minutes; where it can't be loaded, the one before. `refresh` asks for it now.
 * Throws `not_found` without the setting, and `upstream_failed`, `upstream_timeout` or `unavailable` while none was loaded.
 */
export async function loadIndex(source: Source, { refresh = false } = {}): Promise<CurrentIndex> {
  const address = indexAddress(source)
  const memory = memoryOf(source.remote, address.href)
  if (memory.loading || isDue(memory, refresh)) {
    memory.loading ??= load(source, address, memory).finally(() => {
      memory.loading = null
    })
    await memory.loading
  }
  const { loaded, failed } = memory
  if (loaded)
    return { index: loaded.index, loadedAt: loaded.at, failure: failed?.error.message ?? null }
  throw failed?.error ?? new AppError('unavailable', 'The plugin index is not loaded yet')
}

/** Throws `not_found` without the setting. */
export function indexAddress({ settings }: Pick<Deps, 'settings'>): URL {
  if (settings.PLUGIN_INDEX_URL) return new URL(settings.PLUGIN_INDEX_URL)
  const message = 'This server has no index of plugins: set PLUGIN_INDEX_URL to the address of one'
  throw new AppError('not_found', message)
}

/** From where index and archives come: what is on the internet can lead to no private address, also to none that webhooks may have. */
export const openingOf = ({ settings }: Pick<Deps, 'settings'>, rest: Opening): Opening => ({
  ...rest,
  secureBut: privateHosts(indexAddress({ settings }), settings.OUTGOING_ALLOWED_HOSTS),
})

function memoryOf(remote: Remote, address: string): Memory {
  const known = memories.get(remote)
  if (known?.address === address) return known
  const memory: Memory = { address, loaded: null, failed: null, loading: null }
  memories.set(remote, memory)
  return memory
}

function isDue({ loaded, failed }: Memory, refresh: boolean): boolean {
  const now = Date.now()
  if (refresh) return now - Math.max(loaded?.at ?? 0, failed?.at ?? 0) > AGAIN_MS
  return failed ? now - failed.at > RETRY_MS : now - (loaded?.at ?? 0) > FRESH_MS
}

/** Never throws. */
async function load(source: Source, address: URL, memory: Memory): Promise<void> {
  try {
    const accept = 'application/json'
    const opening = openingOf(source, { accept, timeoutMs: TIMEOUT_MS })
    const file = await source.remote.open(address.href, opening)
    const bytes = await readAll(file).finally(file.close)
    memory.loaded = { index: parseIndex(bytes), at: Date.now() }
    memory.failed = null
  } catch (error) {
    memory.failed = { error: notLoaded('The plugin index', error), at: Date.now() }
  }
}

async function readAll({ body, bytes: stated }: RemoteFile): Promise<Uint8Array> {
  if ((stated ?? 0) > MAX_INDEX_BYTES) throw tooLarge()
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > MAX_INDEX_BYTES) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const tooLarge = () => new AppError('upstream_failed', 'The plugin index is larger than 5 MiB')

/** What `Remote.open` and its content throw, in words about what was loaded; an address that is refused is no fault of the caller's. */
export function notLoaded(what: string, error: unknown): AppError {
  if (!(error instanceof AppError)) return new AppError('upstream_failed', FAILED, { cause: error })
  if (error.message.startsWith('The plugin index')) return error
  const why = error.message.replace(/^(url|The address): ?/, '')
  const code = error.code === 'invalid_input' ? 'upstream_failed' : error.code
  return new AppError(code, `${what} could not be loaded: ${why}`, { cause: error })
}

const FAILED = 'The plugin index could not be loaded; try again in a moment'
