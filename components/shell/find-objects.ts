import type { Permission } from '@/lib/auth/rights'
import { api } from '@/lib/http/client'

export type Hit = { kind: 'entity' | 'plugin' | 'user' | 'image'; label: string; href: string }

type Source = {
  kind: Hit['kind']
  permission: Permission
  /** The address of its search. */
  at: string
  field: string
  id: string
  hrefOf: (id: string) => string
}

const SOURCES: Source[] = [
  {
    kind: 'plugin',
    permission: 'plugins:read',
    at: '/api/entities/EnginePlugins/search',
    field: 'name',
    id: 'id',
    hrefOf: (id) => hrefOf('/plugins', id),
  },
  {
    kind: 'user',
    permission: 'users:manage',
    at: '/api/entities/EngineUsers/search',
    field: 'email',
    id: 'userId',
    hrefOf: (id) => hrefOf('/users', id),
  },
  {
    kind: 'image',
    permission: 'images:read',
    at: '/api/images/search',
    field: 'publicId',
    id: 'fileId',
    hrefOf: (id) => `/images?image=${encodeURIComponent(id)}`,
  },
]

const HITS_A_KIND = 5

/** Objects whose name contains `term`, without kinds that can't be read. */
export async function findObjects(
  term: string,
  allowed: (permission: Permission) => boolean,
  signal: AbortSignal,
): Promise<Hit[]> {
  const sources = SOURCES.filter(({ permission }) => allowed(permission))
  const searches = sources.map((source) => search(source, term, signal))
  const found = await Promise.allSettled([findEntities(term, signal), ...searches])
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

/** Of those the person may read; they are few enough to come all at once. */
async function findEntities(term: string, signal: AbortSignal): Promise<Hit[]> {
  const { data } = await api<{ name: string }>('/api/entities', { signal })
  const found = data.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
  return found
    .slice(0, HITS_A_KIND)
    .map(({ name }) => ({ kind: 'entity', label: name, href: hrefOf('/entities', name) }))
}

async function search(source: Source, term: string, signal: AbortSignal): Promise<Hit[]> {
  const { kind, at, field, id } = source
  const { data } = await api<Record<string, string>>(at, {
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
    href: source.hrefOf(String(row[id])),
  }))
}

const hrefOf = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`
