import { listQuery } from '@/components/lists/list-query'
import type { Search } from '@/lib/query/search-key'

/** The query key of one user, on the server and in the browser. */
export const userKey = (userId: string) => ['user', userId] as const

/** All users, by e-mail. */
export const usersQuery = listQuery('EngineUsers', {
  searchIn: ['email'],
  order: { field: 'email', direction: 'asc' },
})

/** The latest mails to these addresses, which show what happened to an invitation. */
export const mailsSearch = (emails: readonly string[]): Search => ({
  fields: ['id', 'to', 'subject', 'template', 'status', 'error', 'attempts', 'createdAt', 'sentAt'],
  query: [{ field: 'to', operator: 'in', value: [...emails] }],
  sort: [{ field: 'createdAt', direction: 'desc' }],
  pagination: { page: 0, size: 500 },
  count: 'none',
})

/** Changes of a user, the latest first. */
export const historySearch = (userId: string): Search => ({
  query: [
    { field: 'objectType', operator: 'eq', value: 'user' },
    { field: 'objectId', operator: 'eq', value: userId },
  ],
  sort: [{ field: 'id', direction: 'desc' }],
  pagination: { page: 0, size: 100 },
  count: 'none',
})
