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
import type { EntitySummary } from '@/lib/registry/summary-contract'
import type { FoundRecord } from '@/lib/search/find-contract'
import type { Result, ResultGroup } from './palette-results'

type Options = {
  term: string
  allowed: (permission: Permission) => boolean
  go: (href: string) => () => void
}

/** Entities, plugins, users, images and records that `term` finds. `isAnswered`: they are those of this term. */
export function useFoundResults({ term, allowed, go }: Options) {
  const entities = useQuery({
    queryKey: ['commands', 'entities'],
    queryFn: ({ signal }) => api<EntitySummary>('/api/entities', { signal }),
  })
  const objects = useQuery({
    queryKey: ['commands', 'objects', term],
    queryFn: ({ signal }) => findObjects(term, allowed, signal),
    placeholderData: keepPreviousData,
  })
  const records = useQuery({
    queryKey: ['commands', 'records', term],
    queryFn: ({ signal }) => findRecords(term, signal),
    placeholderData: keepPreviousData,
  })
  const found = [
    ...entitiesNamed(entities.data?.data ?? [], term).map((entity) => entityResult(entity, go)),
    ...(objects.data ?? []).map((hit) => objectResult(hit, go)),
  ]
  const groups: ResultGroup[] = [
    { heading: 'Objects', results: found },
    {
      heading: 'Records',
      results: term ? (records.data ?? []).map((record) => recordResult(record, term, go)) : [],
    },
  ]
  return { groups, isAnswered: [entities, objects, records].every((query) => !query.isFetching) }
}

type Go = Options['go']

/** Entities whose name or label contains `term`, without others that begin the list while nothing is typed. */
function entitiesNamed(entities: EntitySummary[], term: string): EntitySummary[] {
  const sought = term.toLowerCase()
  const isFound = (text: string | null) => text?.toLowerCase().includes(sought) ?? false
  const found = entities.filter(({ name, label }) => isFound(name) || isFound(label))
  return term ? found : found.slice(0, HITS_A_KIND)
}

const entityResult = ({ name, label }: EntitySummary, go: Go): Result => ({
  id: `entity ${name}`,
  label: name,
  words: label ? [label] : [],
  icon: DatabaseIcon,
  note: label ? `${label}, entity` : 'entity',
  onSelect: go(hrefOf('/entities', name)),
})

const objectResult = ({ kind, label, href }: Hit, go: Go): Result => ({
  id: `${kind} ${href}`,
  label,
  icon: ICONS[kind],
  note: kind,
  onSelect: go(href),
})

/** The server has compared it, so the term is a word of it. */
const recordResult = (record: FoundRecord, term: string, go: Go): Result => ({
  id: `record ${record.entity} ${record.persistenceId}`,
  label: record.title,
  words: [`${record.persistenceId} ${term}`],
  icon: FileTextIcon,
  note: `${record.entity} ${record.persistenceId === record.title ? '' : record.persistenceId}`,
  onSelect: go(recordAddress(record)),
})

const ICONS: Record<Hit['kind'], LucideIcon> = {
  plugin: BlocksIcon,
  user: UserIcon,
  image: ImageIcon,
}

type Hit = { kind: 'plugin' | 'user' | 'image'; label: string; href: string }

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
  if (term) await pause(signal)
  const sources = SOURCES.filter(({ permission }) => allowed(permission))
  const searches = sources.map((source) => search(source, term, signal))
  const found = await Promise.allSettled(searches)
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
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
async function findRecords(term: string, signal: AbortSignal): Promise<FoundRecord[]> {
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
