import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  BlocksIcon,
  DatabaseIcon,
  FileTextIcon,
  ImageIcon,
  type LucideIcon,
  UserIcon,
} from 'lucide-react'
import type { Permission } from '@/lib/auth/rights'
import { api } from '@/lib/http/client'
import type { FoundRecord } from '@/lib/search/find-contract'
import { Group, Item } from './palette-items'

type Go = (href: string) => () => void

const ICONS: Record<Hit['kind'], LucideIcon> = {
  entity: DatabaseIcon,
  plugin: BlocksIcon,
  user: UserIcon,
  image: ImageIcon,
}

/** Records of any entity; the server has compared them, so the term is a word of each. */
export function FoundRecords({ term, go }: { term: string; go: Go }) {
  const { data: found = [] } = useQuery({
    queryKey: ['commands', 'records', term],
    queryFn: ({ signal }) => findRecordsOf(term, signal),
    placeholderData: keepPreviousData,
  })
  if (found.length === 0 || term === '') return null
  return (
    <Group heading="Records">
      {found.map((record) => (
        <Item
          key={`${record.entity} ${record.persistenceId}`}
          value={`record ${record.entity} ${record.persistenceId} ${record.title}`}
          words={[term]}
          icon={FileTextIcon}
          label={record.title}
          note={`${record.entity} ${record.persistenceId === record.title ? '' : record.persistenceId}`}
          onSelect={go(recordAddress(record))}
        />
      ))}
    </Group>
  )
}

type ObjectsProps = { term: string; allowed: (permission: Permission) => boolean; go: Go }

/** Entities, plugins, users and images whose name contains the term. */
export function FoundObjects({ term, allowed, go }: ObjectsProps) {
  const { data: hits = [] } = useQuery({
    queryKey: ['commands', term],
    queryFn: ({ signal }) => findObjects(term, allowed, signal),
    placeholderData: keepPreviousData,
  })
  if (hits.length === 0) return null
  return (
    <Group heading="Objects">
      {hits.map(({ kind, href, label }) => (
        <Item
          key={href}
          value={`${kind} ${label}`}
          icon={ICONS[kind]}
          label={label}
          note={kind}
          onSelect={go(href)}
        />
      ))}
    </Group>
  )
}

type Hit = { kind: 'entity' | 'plugin' | 'user' | 'image'; label: string; href: string }

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
async function findObjects(
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

/** Typing goes on: the search begins when it has paused. */
const PAUSE_MS = 150
const FEWEST_LETTERS = 2

/** Records whose key is `term` or whose texts contain it. */
async function findRecordsOf(term: string, signal: AbortSignal): Promise<FoundRecord[]> {
  if (term.length < FEWEST_LETTERS && !/^\d$/.test(term)) return []
  await pause(signal)
  const { data } = await api<FoundRecord>('/api/records', { query: { term }, signal })
  return data
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

const recordAddress = ({ entity, persistenceId }: FoundRecord) =>
  `/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(persistenceId)}`
