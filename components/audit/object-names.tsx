import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Link } from '@/components/ui/link'
import { api } from '@/lib/http/client'
import type { AuditRow } from './audit-search'

/** The readable name of what an entry of the audit log is about. `href` leads to it while it is there. */
type NamedObject = { name: string; href?: string }

type Kind = { entity: string; id: string; name: string; href: (id: string) => string }

/** Kinds of objects whose ids say nothing. */
const KINDS: Record<string, Kind> = {
  user: { entity: 'EngineUsers', id: 'userId', name: 'email', href: (id) => `/users/${id}` },
  plugin: {
    entity: 'EnginePlugins',
    id: 'id',
    name: 'name',
    href: (id) => `/plugins/${encodeURIComponent(id)}`,
  },
  api_key: { entity: 'EngineApiKeys', id: 'id', name: 'name', href: () => '/api-keys' },
  image: {
    entity: 'EngineFiles',
    id: 'fileId',
    name: 'publicId',
    href: (id) => `/images?image=${id}`,
  },
  mail: { entity: 'EngineEmails', id: 'id', name: 'subject', href: (id) => `/mail?mail=${id}` },
}

/** Names the objects of `rows`, by one search a kind; null while the names are on their way. */
export function useObjectNames(rows: readonly AuditRow[]): (row: AuditRow) => NamedObject | null {
  const wanted = Object.keys(KINDS).flatMap((kind) => {
    const ids = idsOf(rows, kind)
    return ids.length > 0 ? [{ kind, ids }] : []
  })
  const names = useQuery({
    queryKey: ['object-names', wanted],
    queryFn: ({ signal }) => findNames(wanted, signal),
    enabled: wanted.length > 0,
  })
  const { data, isPending } = names
  return useCallback(
    (row) => {
      if (!(row.objectType in KINDS)) return unlinked(row)
      if (isPending) return null
      return data?.[`${row.objectType} ${row.objectId}`] ?? unlinked(row)
    },
    [data, isPending],
  )
}

const idsOf = (rows: readonly AuditRow[], kind: string): string[] =>
  [...new Set(rows.flatMap((row) => (row.objectType === kind ? (row.objectId ?? []) : [])))].sort()

type Names = Record<string, NamedObject>

/** By kind and id; a kind that can't be read is left out, as its ids still help. */
async function findNames(
  wanted: readonly { kind: string; ids: string[] }[],
  signal: AbortSignal,
): Promise<Names> {
  const found = await Promise.allSettled(wanted.map((each) => namesOf(each.kind, each.ids, signal)))
  const entries = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  return Object.fromEntries(entries)
}

async function namesOf(kind: string, ids: readonly string[], signal: AbortSignal) {
  const { entity, id, name, href } = KINDS[kind] as Kind
  const { data } = await api<Record<string, string>>(`/api/entities/${entity}/search`, {
    method: 'POST',
    body: {
      fields: [id, name],
      query: [{ field: id, operator: 'in', value: ids }],
      pagination: { page: 0, size: 1000 },
      count: 'none',
    },
    signal,
  })
  return data.map((each): [string, NamedObject] => {
    const own = each[id] ?? ''
    return [`${kind} ${own}`, { name: each[name] ?? own, href: href(own) }]
  })
}

/** What has a name and no page. */
const UNLINKED = new Set(['view', 'scim_group', 'server', 'promotion'])

/** Records are called by their key; what was deleted, as it was called then. */
function unlinked({ objectType, objectId, action, details }: AuditRow): NamedObject {
  if (objectType in KINDS || UNLINKED.has(objectType) || !objectId)
    return { name: toldName(details) ?? objectId ?? '—' }
  if (!action.startsWith('records.') || action === 'records.delete') return { name: objectId }
  const href = `/entities/${encodeURIComponent(objectType)}?record=${encodeURIComponent(objectId)}`
  return { name: objectId, href }
}

function toldName(details: AuditRow['details']): string | undefined {
  const { before, after, name, publicId } = (details ?? {}) as Record<string, unknown>
  const parts = [before, after].map((part) => (part ?? {}) as Record<string, unknown>)
  const names = [...parts.flatMap((part) => [part.email, part.name]), name, publicId]
  return names.find((each) => typeof each === 'string')
}

/** The object of an entry, and the way to it. */
export function ObjectName({ object }: { object: NamedObject | null }) {
  if (!object) return <span className="sr-only">Loading</span>
  if (!object.href) return <>{object.name}</>
  return (
    <Link href={object.href} className="hover:underline">
      {object.name}
    </Link>
  )
}
