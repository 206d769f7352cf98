import { ApiError, api } from '@/lib/http/client'
import { entityPath } from './entity-queries'
import type { EntityRecord } from './types'

/** A state of a record, and its ETag. */
export type Current = { record: EntityRecord; etag: string | undefined }

/** Reads a record as it is. Throws `ApiError`. */
export async function loadCurrent(entity: string, id: string): Promise<Current> {
  const { data, etag } = await api<EntityRecord>(entityPath(entity, `/${encodeURIComponent(id)}`))
  const [record] = data
  if (!record) throw new ApiError(404, 'The record does not exist any more')
  return { record, etag }
}
