import { ApiError } from '@/lib/http/client'
import type { Import, ImportPreview } from '@/lib/import/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import type { ImportOptions } from './import-item'
import { changeItem, findItem, workOn } from './import-items'
import { dropImport, followImport, previewFile, readImport, sendImport } from './import-requests'
import { keepItem } from './kept-imports'
import { FileFault, requireTable } from './no-table'

/** Chooses otherwise, and checks the file again. */
export function chooseOptions(id: string, options: Partial<ImportOptions>): void {
  const item = findItem(id)
  if (!item) return
  changeItem(id, { options: { ...item.options, ...options } })
  void checkImport(id)
}

/** Previews the first rows, then runs all of them dry; `checkId` is a dry run from before a reload. */
export async function checkImport(id: string, checkId?: string): Promise<void> {
  const item = findItem(id)
  if (!item?.file) return
  const file = item.file
  if (item.check) void dropImport(item.check.id)
  changeItem(id, {
    state: 'checking',
    sent: 0,
    check: undefined,
    error: undefined,
    isFileFault: false,
  })
  await workOn(id, 'stopped', async (signal) => {
    await requireTable(file)
    void keepItem(findItem(id))
    const preview = await previewFile({ ...item, file }, { signal }).catch(
      item.preview ? undefined : unlessUnreadable,
    )
    changeItem(id, { preview })
    if (item.size > preview.maxBytes) throw new FileFault(tooLarge(item.size, preview.maxBytes))
    const handle = { signal, onSent: (sent: number) => changeItem(id, { sent }) }
    const started =
      (await earlier(checkId)) ??
      (await sendImport({ ...item, preview, file }, { dryRun: true, partial: false }, handle))
    const check = await followed(id, started, signal)
    if (isMixed(item.options, preview, check)) chooseOptions(id, { mode: 'upsert' })
    else changeItem(id, { check, state: 'checked' })
  })
}

/** Whether later rows are stored where the first ones are new, or the other way round, and nobody has chosen what becomes of them. */
const isMixed = ({ mode }: ImportOptions, { mode: told, key }: ImportPreview, check: Import) =>
  mode === null &&
  told !== 'upsert' &&
  key.length > 0 &&
  check.groups.some(
    ({ rule, field }) => ['key', 'unique'].includes(rule) && field === key.join(', '),
  )

/** What the server says of a file of which it can't even show the columns. */
function unlessUnreadable(error: unknown): never {
  if (error instanceof ApiError && UNREADABLE.includes(error.status))
    throw new FileFault(error.message)
  throw error
}

const UNREADABLE = [400, 413, 422]

/** The dry run as it ended; what is chosen otherwise meanwhile ends it. */
async function followed(id: string, started: Import, signal: AbortSignal): Promise<Import> {
  changeItem(id, { check: started })
  void keepItem(findItem(id))
  const drop = () => void dropImport(started.id)
  signal.addEventListener('abort', drop)
  const onProgress = (check: Import) => changeItem(id, { check })
  const check = await followImport(started.id, { signal, onProgress })
  signal.removeEventListener('abort', drop)
  return check
}

/** Null for one that was removed or cancelled. */
async function earlier(checkId: string | undefined): Promise<Import | null> {
  const found = checkId === undefined ? null : await readImport(checkId).catch(() => null)
  return found?.status === 'CANCELLED' ? null : found
}

const tooLarge = (size: number, most: number) =>
  `${formatBytes(size)} is more than the server accepts (${formatBytes(most)}). Split the file, or ask for a higher MAX_IMPORT_BYTES.`
