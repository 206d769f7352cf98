import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listQuery } from '@/components/lists/list-query'
import type { PersonErasure } from '@/lib/erasure/contract'
import { api, apiItem } from '@/lib/http/client'
import { itemOptions } from '@/lib/query/item-options'
import type { Search } from '@/lib/query/search-key'
import type { InitialUser, User } from '@/lib/users/contract'
import type { Identity } from '@/lib/users/identity-contract'
import type { ExactObject } from './profile-text'

export type PasswordChoice = 'generate' | 'typed' | 'none'
type UserDraft = {
  email: string
  roles: string[]
  profile: ExactObject
  choice: PasswordChoice
  password: string
}

const path = (userId: string, rest = '') => `/api/users/${encodeURIComponent(userId)}${rest}`

export const userOptions = (userId: string) => itemOptions<User>(userKey(userId), path(userId))

/** The accounts at providers by which the user signs in. */
export const identitiesOptions = (userId: string) =>
  queryOptions({
    queryKey: [...userKey(userId), 'identities'],
    queryFn: async () => (await api<Identity>(path(userId, '/identities'))).data,
  })

export const unlinkIdentity = (userId: string) => (identityId: string) =>
  api(path(userId, `/identities/${encodeURIComponent(identityId)}`), { method: 'DELETE' })

export async function createUser({ choice, password, ...user }: UserDraft): Promise<InitialUser> {
  const query = choice === 'generate' ? { generatePassword: true } : {}
  const body = choice === 'typed' ? { ...user, password } : user
  return apiItem<InitialUser>('/api/users/init', { method: 'POST', query, body })
}

export type UserChanges = Partial<Pick<User, 'roles' | 'status'>> & {
  profile?: ExactObject
  password?: string
}

export const changeUser = (userId: string) => (body: UserChanges) =>
  apiItem<User>(path(userId), { method: 'PATCH', body })

export const sendActivation = (userId: string) => () =>
  api(path(userId, '/activation-email'), { method: 'POST' })

export const endSessions = (userId: string) => () =>
  api(path(userId, '/sessions'), { method: 'DELETE' })

export const resetSecondFactors = (userId: string) => () =>
  api(path(userId, '/second-factors'), { method: 'DELETE' })

export const sendReset = (email: string) => () =>
  api('/api/auth/forget-password', { method: 'POST', body: { email } })

const SHOWING_USERS = ['EngineUsers', 'EngineEmails', 'EngineAuditLog']

const refreshLists = (client: QueryClient) =>
  Promise.all(
    SHOWING_USERS.map((entity) => client.invalidateQueries({ queryKey: ['search', entity] })),
  )

/** A change of a user, which refreshes every query of users and mails. */
export function useUserMutation<Input, Result>(act: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  const refresh = () =>
    Promise.all([client.invalidateQueries({ queryKey: ['user'] }), refreshLists(client)])
  return useMutation({ mutationFn: act, onSuccess: refresh })
}

export const deleteUser = (userId: string) => () => api(path(userId), { method: 'DELETE' })

const erasure = (userId: string) => path(userId, '/erasure')

/** What an erasure would do. */
export const tryErasure = (userId: string) =>
  apiItem<PersonErasure>(erasure(userId), { method: 'POST', query: { dryRun: true } })

export const eraseUser = (userId: string, confirm: string) =>
  apiItem<PersonErasure>(erasure(userId), { method: 'POST', body: { confirm } })

/** All that is stored of a user, as a file. */
export const exportOf = (userId: string) => path(userId, '/export')

/**
 * Deletes a user by `act`, then calls `onDeleted`. The user is not read again: its page would show an error
 * and close the dialog with it.
 */
export function useUserDeletion<Result>(
  userId: string,
  { act, onDeleted }: { act: () => Promise<Result>; onDeleted: (result: Result) => void },
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      onDeleted(result)
      return Promise.all([
        client.invalidateQueries({ queryKey: userOptions(userId).queryKey, refetchType: 'none' }),
        refreshLists(client),
      ])
    },
  })
}

/** The query key of one user, on the server and in the browser. */
export const userKey = (userId: string) => ['user', userId] as const

/** All users, by email. */
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
