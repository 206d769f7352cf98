import { queryOptions } from '@tanstack/react-query'
import { isSameRole } from '@/lib/auth/rights'
import { api } from '@/lib/http/client'

/** What policies may take from a user. */
export type Person = {
  userId: string
  email: string
  roles: string[]
  profile: Record<string, unknown> | null
}

const MAX_PEOPLE = 100

/** The first users: enough to try policies by, and to know what keys profiles have. */
export const peopleOptions = queryOptions({
  queryKey: ['users', 'people'],
  queryFn: ({ signal }) =>
    api<Person>('/api/users', { query: { size: MAX_PEOPLE }, signal }).then(({ data }) => data),
  staleTime: 60_000,
})

export const profileKeys = (people: readonly Person[]): string[] =>
  [...new Set(people.flatMap(({ profile }) => Object.keys(profile ?? {})))].sort()

/** Those with the role, before the others. */
export const withRoleFirst = (people: readonly Person[], role: string): Person[] => {
  const has = ({ roles }: Person) => roles.some((each) => isSameRole(each, role))
  return [...people.filter(has), ...people.filter((person) => !has(person))]
}
