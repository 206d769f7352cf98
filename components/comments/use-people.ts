import { useDeferredValue } from 'react'
import { useCan, useViewer } from '@/components/shell/viewer'
import { useSearch } from '@/lib/query/search'

const MAX_PEOPLE = 8

/**
 * Emails of those whom `term` may mean: of people who commented, and of active users for those who may read them. None while
 * nothing is being typed.
 */
export function usePeople(term: string | null, commenters: readonly string[]): string[] {
  const { email: own } = useViewer()
  const mayFind = useCan({ entity: 'EngineUsers', action: 'read' })
  const searched = useDeferredValue(term)
  const found = useSearch<{ email: string }>(
    'EngineUsers',
    {
      fields: ['email'],
      query: [
        { field: 'status', operator: 'eq', value: 'ACTIVATED' },
        ...(searched ? [{ field: 'email', operator: 'icontains', value: searched }] : []),
      ],
      sort: [{ field: 'email', direction: 'asc' }],
      pagination: { page: 0, size: MAX_PEOPLE + 1 },
      count: 'none',
    },
    { enabled: mayFind && searched !== null },
  )
  if (term === null) return []
  const users = (mayFind && found.data?.data) || []
  const all = new Set([...commenters, ...users.map(({ email }) => email)])
  all.delete(own)
  const isMeant = (email: string) => email.toLowerCase().includes(term.toLowerCase())
  return [...all].filter(isMeant).slice(0, MAX_PEOPLE)
}
