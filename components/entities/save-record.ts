import { api } from '@/lib/http/client'
import type { ExactJson } from '@/lib/values/exact-json'
import { entityPath } from './entity-queries'
import type { EntityRecord } from './types'

/** Creates a record, or changes the given fields of `record`. Returns its new state. */
export async function saveRecord(
  entity: string,
  record: EntityRecord | null,
  values: Record<string, ExactJson>,
  /** Of the state that was edited: another one is refused with 412. */
  etag?: string,
): Promise<EntityRecord | undefined> {
  const path = record ? `/${encodeURIComponent(record.persistenceId)}` : ''
  const { data } = await api<EntityRecord>(entityPath(entity, path), {
    method: record ? 'PATCH' : 'POST',
    body: values,
    headers: etag ? { 'If-Match': etag } : undefined,
  })
  return data[0]
}
