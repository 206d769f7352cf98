import type { FilterField } from '@/components/data-table/filter/field'
import { type ListParams, toSearch } from '@/components/data-table/list-params'
import type { Search } from '@/lib/query/search'
import type { User } from '@/lib/users/contract'
import { USER_STATUSES } from '@/lib/users/status'

export type UserRow = User

/** What the list of users can be filtered by. */
export const USER_FIELDS: FilterField[] = [
  { name: 'status', label: 'Status', kind: 'text', enum: [...USER_STATUSES] },
  { name: 'email', label: 'E-mail', kind: 'text' },
  { name: 'roles', label: 'Roles', kind: 'array' },
  { name: 'lastSignInAt', label: 'Last sign-in', kind: 'datetime' },
  { name: 'createdAt', label: 'Created', kind: 'datetime' },
]

/** Where one user is kept, on the server and in the browser. */
export const userKey = (userId: string) => ['user', userId] as const

const BY_EMAIL = { field: 'email', direction: 'asc' as const }

export function usersSearch(params: ListParams): Search {
  const sort = params.sort.length > 0 ? params.sort : [BY_EMAIL]
  return { ...toSearch(params, { searchIn: ['email'] }), sort }
}

/** The latest mails of these addresses: what became of an invitation. */
export const mailsSearch = (emails: readonly string[]): Search => ({
  fields: ['id', 'to', 'subject', 'template', 'status', 'error', 'attempts', 'createdAt', 'sentAt'],
  query: [{ field: 'to', operator: 'in', value: [...emails] }],
  sort: [{ field: 'createdAt', direction: 'desc' }],
  pagination: { page: 0, size: 500 },
  count: 'none',
})

/** What was done to a user; the latest first. */
export const historySearch = (userId: string): Search => ({
  query: [
    { field: 'objectType', operator: 'eq', value: 'user' },
    { field: 'objectId', operator: 'eq', value: userId },
  ],
  sort: [{ field: 'id', direction: 'desc' }],
  pagination: { page: 0, size: 100 },
  count: 'none',
})
