import { UNDO_NOTICE_MS } from '@/components/ui/notice-time'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import type { ExactJson } from '@/lib/values/exact-json'
import { entityPath, refreshEntity } from './entity-queries'
import type { EntityRecord } from './types'

/** A new state of a record, and the ETag that stands for it. */
type SavedRecord = { record: EntityRecord; etag: string | undefined }

/** Creates a record, or changes the given fields of `record`. Null when its new state can't be read. */
export async function saveRecord(
  entity: string,
  record: EntityRecord | null,
  values: Record<string, ExactJson>,
  /** Of the state that was edited: another one is refused with 412. */
  etag?: string,
): Promise<SavedRecord | null> {
  const path = record ? `/${encodeURIComponent(record.persistenceId)}` : ''
  const saved = await api<EntityRecord>(entityPath(entity, path), {
    method: record ? 'PATCH' : 'POST',
    body: values,
    headers: etag ? { 'If-Match': etag } : undefined,
  })
  const [after] = saved.data
  return after ? { record: after, etag: saved.etag } : null
}

/** Says that changes are saved, with a button that takes them back unless the record has changed since. */
export function announceChange(
  entity: string,
  before: EntityRecord,
  values: Record<string, ExactJson>,
  { record, etag }: SavedRecord,
  text = 'Saved',
): void {
  const undo = async () => {
    try {
      await saveRecord(entity, record, formerValues(before, values), etag)
      await refreshEntity(entity)
      toast.success('The change is undone')
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  toast.success(text, {
    duration: UNDO_NOTICE_MS,
    action: { label: 'Undo', onClick: () => void undo() },
  })
}

/** What the changed fields had before; null for a field that was not there, which removes it again. */
const formerValues = (
  before: EntityRecord,
  values: Record<string, ExactJson>,
): Record<string, ExactJson> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, before[name] ?? null]))
