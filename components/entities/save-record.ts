import { api } from '@/lib/http/client'
import type { ExactJson } from '@/lib/values/exact-json'
import { entityPath } from './entity-queries'
import type { EntityRecord } from './types'

/** A new state of a record, and the ETag that stands for it. */
export type SavedRecord = { record: EntityRecord; etag: string | undefined }

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
