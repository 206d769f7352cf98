import type { Permission } from '@/lib/auth/rights'
import { api } from '@/lib/http/client'

export type Hit = { kind: 'entity' | 'plugin' | 'user'; label: string; href: string }

type Source = {
  kind: Hit['kind']
  permission: Permission
  entity: string
  field: string
  id: string
  path: string
}

const SOURCES: Source[] = [
  {
    kind: 'entity',
    permission: 'system:read',
    entity: 'EngineEntities',
    field: 'name',
    id: 'name',
    path: '/entities',
  },
  {
    kind: 'plugin',
    permission: 'plugins:read',
    entity: 'EnginePlugins',
    field: 'name',
    id: 'id',
    path: '/plugins',
  },
  {
    kind: 'user',
    permission: 'users:manage',
    entity: 'EngineUsers',
    field: 'email',
    id: 'userId',
    path: '/users',
  },
]

const HITS_A_KIND = 5

/** Objects whose name holds `term`. A kind that can't be read is left out: the rest still helps. */
export async function findObjects(
  term: string,
  allowed: (permission: Permission) => boolean,
  signal: AbortSignal,
): Promise<Hit[]> {
  const sources = SOURCES.filter(({ permission }) => allowed(permission))
  const found = await Promise.allSettled(sources.map((source) => search(source, term, signal)))
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

async function search(source: Source, term: string, signal: AbortSignal): Promise<Hit[]> {
  const { kind, entity, field, id, path } = source
  const { data } = await api<Record<string, string>>(`/api/entities/${entity}/search`, {
    method: 'POST',
    body: {
      fields: [...new Set([id, field])],
      query: term ? [{ field, operator: 'icontains', value: term }] : [],
      sort: [{ field, direction: 'asc' }],
      pagination: { page: 0, size: HITS_A_KIND },
      count: 'none',
    },
    signal,
  })
  return data.map((row) => ({
    kind,
    label: String(row[field]),
    href: `${path}/${encodeURIComponent(String(row[id]))}`,
  }))
}
