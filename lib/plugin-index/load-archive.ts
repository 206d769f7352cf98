import { rm } from 'node:fs/promises'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { type StoredFile, storeFile } from '@/lib/http/store-file'
import type { RemoteFile } from '@/lib/remote/remote'
import { formatBytes } from '@/lib/values/format-bytes'
import type { ListedVersion } from './contract'
import { indexAddress, notLoaded, openingOf } from './load-index'

/** An archive may be large, and its server slow. */
const TIMEOUT_MS = 120_000

type Source = Pick<Deps, 'remote' | 'settings'>
type Options = { fileName: string; folder: string }

/**
 * Loads the archive of a version to a new temporary file, which the caller removes, if it is the one that the index lists.
 * `meta.archive` of `upstream_failed` says what is wrong with another one: `truncated`, `longer` or `hash`. Throws `too_large` for one over
 * `MAX_ZIP_BYTES` before it is asked for, and as `Remote.open` does.
 */
export async function loadArchive(
  source: Source,
  { url, bytes, sha256 }: ListedVersion,
  options: Options,
): Promise<StoredFile> {
  const { MAX_ZIP_BYTES } = source.settings
  if (bytes > MAX_ZIP_BYTES)
    throw new AppError(
      'too_large',
      `The archive has ${formatBytes(bytes)}, and this server takes ${formatBytes(MAX_ZIP_BYTES)} (MAX_ZIP_BYTES)`,
    )
  const stored = await download(source, { url, bytes }, options)
  const fault = stored.bytes < bytes ? truncated(stored.bytes, bytes) : isOther(stored, sha256)
  if (!fault) return stored
  await rm(stored.path, { force: true })
  throw fault
}

async function download(
  source: Source,
  { url, bytes }: Pick<ListedVersion, 'url' | 'bytes'>,
  { fileName, folder }: Options,
): Promise<StoredFile> {
  const opening = openingOf(source, { accept: '*/*', timeoutMs: TIMEOUT_MS })
  let file: RemoteFile | undefined
  try {
    file = await source.remote.open(addressOf(source, url), opening)
    if (file.bytes !== null && file.bytes > bytes) throw longer(bytes)
    const about = { fileName, declaredType: '' }
    return await storeFile(file.body, about, { maxFileBytes: bytes, folder })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.options.meta?.archive) throw error
    throw error.code === 'too_large' ? longer(bytes) : notLoaded('The archive', error)
  } finally {
    file?.close()
  }
}

function addressOf({ settings }: Source, url: string): string {
  const base = indexAddress({ settings })
  if (URL.canParse(url, base)) return new URL(url, base).href
  throw new AppError('upstream_failed', 'The index has no valid address of the archive')
}

const isOther = (stored: StoredFile, sha256: string) =>
  stored.sha256 === sha256 ? null : refused('hash', 'has another hash than in the index')

const truncated = (bytes: number, listed: number) =>
  refused('truncated', `is truncated: ${bytes} of ${listed} bytes arrived`)

const longer = (listed: number) =>
  refused('longer', `is longer than the ${listed} bytes that the index lists`)

const refused = (archive: string, why: string) =>
  new AppError('upstream_failed', `The archive is not the one of the index: it ${why}`, {
    meta: { archive },
  })
