import { findTarget } from '@/lib/entities/find-target'
import type { Deps } from '@/lib/runtime'
import { recordNotFound, recordWhere } from './record-where'
import { etagOf, selectRecord } from './select-records'

/**
 * One record as searches answer it, in a list of JSON text, with its validator for `If-Match`. Throws
 * `not_found` for what no record has as its id.
 */
export async function readRecord(
  deps: Deps,
  entityName: string,
  id: string,
): Promise<{ data: string; etag: string }> {
  const target = await findTarget(deps, entityName)
  const found = await selectRecord(deps.db, target, recordWhere(target, id), { lock: false })
  if (!found) throw recordNotFound(target.name, id)
  return { data: `[${found.json}]`, etag: etagOf(found.json) }
}
