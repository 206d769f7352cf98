import type { Condition } from '@/components/data-table/filter/condition'
import type { SortKey } from '@/components/data-table/list-params'
import { announceStarted } from '@/components/exports/announce-export'
import { isCancelled, runTask } from '@/components/tasks/run-task'
import { saveFile } from '@/components/ui/save-file'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import type { BackgroundExport } from '@/lib/export/contract'
import { type ApiResponse, api, failure, fetchSignedIn } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { EXPORTS, TASKS_KEY } from '@/lib/query/keys'
import type { Task } from '@/lib/tasks/contract'
import { exactJsonText } from '@/lib/values/exact-json'
import { formatBytes } from '@/lib/values/format-bytes'
import { entityPath } from './entity-queries'
import { forPeople, type Labels, withLabels } from './sheet-columns'
import type { ColumnDescription } from './types'

/** Saves records as a file, in the background where they are many; shows why it failed. */
export async function runExport(
  entity: string,
  format: 'csv' | 'json' | 'xlsx',
  selection: Selection,
  { related, inBackground }: { related: readonly ColumnDescription[]; inBackground: boolean },
): Promise<void> {
  const asSaid = {
    csv: () => withLabels(selection, related),
    // For programs, which read names.
    json: () => selection,
    xlsx: () => forPeople(entity, selection, related),
  }
  try {
    const asked = await asSaid[format]()
    if (inBackground) await startExport(entity, format, asked)
    else await exportRecords(entity, format, asked)
  } catch (error) {
    toast.error(messageOf(error))
  }
}

/** Has all matching records prepared as a file in the background. Throws `ApiError`. */
async function startExport(
  entity: string,
  format: BackgroundExport['format'],
  selection: Selection,
): Promise<void> {
  const path = `${entityPath(entity, '/exports')}?format=${format}`
  const { data } = await api<BackgroundExport>(path, { method: 'POST', body: selection })
  const client = getQueryClient()
  // Seen as running immediately, so that its end is noticed however soon it comes.
  client.setQueryData<ApiResponse<Task>>(TASKS_KEY, (before) => ({
    meta: {},
    ...before,
    data: [...(before?.data ?? []), ...data.map(asTask)],
  }))
  void client.invalidateQueries({ queryKey: EXPORTS.key })
  announceStarted(entity)
}

const asTask = (created: BackgroundExport): Task => ({
  kind: 'export',
  id: created.id,
  name: created.entity,
  startedBy: created.createdBy,
  startedAt: created.createdAt,
  done: created.doneRows,
  total: created.totalRows,
  failed: 0,
  dryRun: false,
})

type Selection = { fields?: string[]; query: Condition[]; sort: SortKey[]; labels?: Labels }

/**
 * Downloads all matching records as a file; the header shows the progress, and cancels it. Throws
 * `ApiError`.
 */
async function exportRecords(
  entity: string,
  format: 'csv' | 'json' | 'xlsx',
  selection: Selection,
): Promise<void> {
  const shown = { title: `Exporting ${entity}`, done: 0, total: null, progress: 'Starting' }
  const href = `/entities/${encodeURIComponent(entity)}`
  try {
    const file = await runTask({ ...shown, href }, async ({ signal, change }) => {
      const response = await request(entity, format, selection, signal)
      const parts = await readAll(response.body, (bytes) =>
        change({ progress: formatBytes(bytes) }),
      )
      return new Blob(parts, { type: response.headers.get('content-type') ?? BYTES })
    })
    saveFile(`${entity}.${format}`, file)
    toast.success(`${entity}.${format} is saved`)
  } catch (error) {
    if (!isCancelled(error)) throw error
    toast.info(`The export of ${entity} was cancelled`)
  }
}

const BYTES = 'application/octet-stream'

async function request(entity: string, format: string, selection: Selection, signal: AbortSignal) {
  const response = await fetchSignedIn(`${entityPath(entity, '/export')}?format=${format}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: exactJsonText(selection),
    signal,
  })
  const { ok, status, headers, body } = response
  if (ok && body) return { headers, body }
  const refusal = await response.json().catch(() => undefined)
  throw failure(status, refusal, headers.get('x-request-id'))
}

const NOTICE_MS = 500

async function readAll(
  stream: ReadableStream<Uint8Array>,
  onProgress: (bytes: number) => void,
): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  let bytes = 0
  let noticedAt = Date.now()
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value as BlobPart)
    bytes += read.value.length
    if (Date.now() - noticedAt < NOTICE_MS) continue
    noticedAt = Date.now()
    onProgress(bytes)
  }
  return parts
}
