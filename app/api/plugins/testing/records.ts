import { DELETE, GET, PATCH, PUT } from '@/app/api/entities/[entityName]/[id]/route'
import { POST as CREATE } from '@/app/api/entities/[entityName]/route'
import type { Deps } from '@/lib/deps'
import { call } from '@/lib/testing/request'

/** The handlers of single records of an entity, as an administrator calls them. */
export function recordsOf(deps: Deps, entityName: string) {
  const path = `/api/entities/${entityName}`
  const at = (id: unknown, query = '') => ({
    path: `${path}/${id}${query}`,
    params: { entityName, id: String(id) },
    as: 'ADMIN' as const,
  })
  return {
    create: (body: object) =>
      call(deps, CREATE, { method: 'POST', path, body, params: { entityName }, as: 'ADMIN' }),
    read: (id: unknown) => call(deps, GET, at(id)),
    replace: (id: unknown, body: object) => call(deps, PUT, { method: 'PUT', body, ...at(id) }),
    change: (id: unknown, body: object) => call(deps, PATCH, { method: 'PATCH', body, ...at(id) }),
    remove: (id: unknown, query = '') => call(deps, DELETE, { method: 'DELETE', ...at(id, query) }),
  }
}
