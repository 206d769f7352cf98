import { toast } from 'sonner'
import type { Condition } from '@/components/data-table/filter/condition'
import type { SortKey } from '@/components/data-table/list-params'
import { saveFile } from '@/components/ui/save-file'
import { failure, fetchSignedIn } from '@/lib/http/client'
import { exactJsonText } from '@/lib/values/exact-json'
import { formatBytes } from '@/lib/values/format-bytes'
import { entityPath } from './entity-queries'

export type Selection = { fields?: string[]; query: Condition[]; sort: SortKey[] }

/** Downloads all matching records as a file and shows the progress. Throws `ApiError`. */
export async function exportRecords(
  entity: string,
  format: 'csv' | 'json' | 'xlsx',
  selection: Selection,
): Promise<void> {
  const response = await fetchSignedIn(`${entityPath(entity, '/export')}?format=${format}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: exactJsonText(selection),
  })
  if (!response.ok || !response.body) {
    const body = await response.json().catch(() => undefined)
    throw failure(response.status, body, response.headers.get('x-request-id'))
  }
  const notice = toast.loading(`Exporting ${entity}`)
  try {
    const parts = await readAll(response.body, (bytes) =>
      toast.loading(`Exporting ${entity}: ${formatBytes(bytes)}`, { id: notice }),
    )
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    saveFile(`${entity}.${format}`, new Blob(parts, { type }))
    toast.success(`${entity}.${format} is saved`, { id: notice })
  } catch (error) {
    toast.dismiss(notice)
    throw error
  }
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
