'use client'
import { useQueries } from '@tanstack/react-query'
import { searchOptions } from '@/lib/query/search'
import type { AuditRow } from './audit-search'

/** What an entry of the audit log is about, as people call it. `href` leads to it while it is there. */
export type NamedObject = { name: string; href?: string }

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

/** Names the objects of `rows`, by one search a kind; null while a name is on its way. */
export function useObjectNames(rows: readonly AuditRow[]): (row: AuditRow) => NamedObject | null {
  const kinds = Object.keys(KINDS).filter((kind) => idsOf(rows, kind).length > 0)
  const answers = useQueries({ queries: kinds.map((kind) => namesOptions(kind, rows)) })
  return (row) => {
    const at = kinds.indexOf(row.objectType)
    const answer = answers[at]
    if (answer?.isPending) return null
    return (row.objectId && answer?.data?.get(row.objectId)) || unlinked(row)
  }
}

const idsOf = (rows: readonly AuditRow[], kind: string): string[] => [
  ...new Set(rows.flatMap((row) => (row.objectType === kind ? (row.objectId ?? []) : []))),
]

function namesOptions(kind: string, rows: readonly AuditRow[]) {
  const { entity, id, name, href } = KINDS[kind] as Kind
  const ids = idsOf(rows, kind).sort()
  const options = searchOptions<Record<string, string>>(entity, {
    fields: [id, name],
    query: [{ field: id, operator: 'in', value: ids }],
    pagination: { page: 0, size: 1000 },
    count: 'none',
  })
  return {
    ...options,
    select: ({ data }: { data: Record<string, string>[] }) =>
      new Map<string, NamedObject>(
        data.map((each) => [
          each[id] ?? '',
          { name: each[name] ?? '', href: href(each[id] ?? '') },
        ]),
      ),
  }
}

/** Records are called by their key; what is gone, as it was called when it went. */
function unlinked({ objectType, objectId, action, details }: AuditRow): NamedObject {
  const { before, after, name } = details as Record<string, Record<string, unknown> | undefined>
  const told = [before?.email, after?.email, name, before?.name, details.publicId]
  const known = told.find((each) => typeof each === 'string')
  if (objectType in KINDS || !objectId) return { name: String(known ?? objectId ?? '—') }
  if (action === 'records.delete') return { name: objectId }
  const href = `/entities/${encodeURIComponent(objectType)}?record=${encodeURIComponent(objectId)}`
  return action.startsWith('records.') ? { name: objectId, href } : { name: objectId }
}
