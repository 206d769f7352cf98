import { entityPath } from '@/components/entities/entity-queries'
import { ApiError, api, apiItem, withQuery } from '@/lib/http/client'
import { upload } from '@/lib/http/upload'
import type { Import, ImportPreview } from '@/lib/import/contract'
import { choiceOf, type ImportItem, isOver } from './import-item'

type Sent = Pick<ImportItem, 'entity' | 'options' | 'preview'> & { file: File }
type Handle = { signal: AbortSignal; onSent?: (bytes: number) => void }

/** So much of a file shows its first rows; a workbook can only be read as a whole. */
const BEGINNING_BYTES = 1024 * 1024

/** What the columns of the file would become. */
export async function previewFile(item: Sent, handle: Handle): Promise<ImportPreview> {
  const { file } = item
  const isCut = !/\.xlsx?$/i.test(file.name) && file.size > BEGINNING_BYTES
  const beginning = new File([isCut ? file.slice(0, BEGINNING_BYTES) : file], file.name)
  return send<ImportPreview>(
    { ...item, preview: undefined, file: beginning },
    '/import/preview',
    { cut: isCut },
    handle,
  )
}

/** Sends the file, to be checked or imported. Returns the import that the server has started. */
export const sendImport = (
  item: Sent,
  { partial, dryRun, undo }: { partial: boolean; dryRun: boolean; undo?: '7d' | undefined },
  handle: Handle,
): Promise<Import> => {
  const query = { dryRun, partial, undo, unknownColumns: 'ignore' }
  return send<Import>(item, '/import', query, handle, { Prefer: 'respond-async' })
}

async function send<T>(
  { entity, options, preview, file }: Sent,
  rest: string,
  query: Record<string, string | boolean | undefined>,
  { signal, onSent }: Handle,
  headers: Record<string, string> = {},
): Promise<T> {
  const { mapping, encoding } = options
  const { mode, key } = choiceOf({ options, preview })
  const form = new FormData()
  if (mapping) form.append('mapping', JSON.stringify(mapping))
  form.append('file', file)
  const by = mode === null || mode === 'create' ? undefined : key?.join(',')
  const chosen = { mode: mode ?? undefined, key: by, encoding }
  const path = withQuery(entityPath(entity, rest), { ...query, ...chosen })
  const onProgress = (bytes: number) => onSent?.(Math.min(bytes, file.size))
  const { body } = await upload<{ data: T[] }>({ path, form, headers, onProgress, signal })
  return body.data[0] as T
}

const importPath = (id: string, rest = '') => `/api/imports/${encodeURIComponent(id)}${rest}`

/** Where the browser gets the refused rows. */
export const refusedHref = (id: string) => importPath(id, '/refused')

/** Throws `ApiError`, 404 for one that is no longer there. */
export const readImport = (id: string): Promise<Import> => apiItem<Import>(importPath(id))

const POLL_MS = 500
const SLOW_POLL_MS = 2_000

/** Waits for the end of an import, also over lost connections. Throws `ApiError` and, when `signal` aborts, its reason. */
export async function followImport(
  id: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (found: Import) => void },
): Promise<Import> {
  const startedAt = Date.now()
  for (;;) {
    signal.throwIfAborted()
    const found = await readImport(id).catch(unlessLost)
    signal.throwIfAborted()
    if (found) onProgress(found)
    if (found && isOver(found)) return found
    const isYoung = Date.now() - startedAt < 10_000
    await new Promise((resolve) => setTimeout(resolve, isYoung ? POLL_MS : SLOW_POLL_MS))
  }
}

/** The connection, or a server that is about to be replaced, comes back. */
function unlessLost(error: unknown): null {
  if (error instanceof ApiError && (error.status === 0 || error.status >= 502)) return null
  throw error
}

export async function stopImport(id: string): Promise<void> {
  await api(importPath(id, '/cancel'), { method: 'POST' })
}

/** A dry run is of no more use: nothing is said of it. */
export const dropImport = (id: string): Promise<unknown> =>
  api(importPath(id), { method: 'DELETE' }).catch(() => null)
