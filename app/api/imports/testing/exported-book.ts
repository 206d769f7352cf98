import { POST as EXPORT } from '@/app/api/entities/[entityName]/export/route'
import type { Deps } from '@/lib/deps'
import { testRequest } from '@/lib/testing/request'

/** All records of an entity as XLSX. */
export async function exportedBook(deps: Deps, entityName: string): Promise<Uint8Array> {
  const path = `/api/entities/${entityName}/export?format=xlsx`
  const request = await testRequest(deps, { method: 'POST', path, body: {}, as: 'VIEWER' })
  const response = await EXPORT(request, { params: Promise.resolve({ entityName }) })
  return new Uint8Array(await response.arrayBuffer())
}
