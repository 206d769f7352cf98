import type { Search } from '@/lib/query/search-key'

/** Set when a person has put the list away. */
export const FIRST_STEPS_COOKIE = 'first-steps'

export const KEYS_COUNT: Search = {
  fields: ['id'],
  query: [{ field: 'status', operator: 'eq', value: 'ACTIVE' }],
  pagination: { page: 0, size: 1 },
}

export type Known = {
  plugins: number
  users: number
  keys: number
  sendsMail: boolean
  /** Images are kept by a service, not on the disk of one machine. */
  hasCloudStorage: boolean
}

export type StepName = 'plugin' | 'user' | 'key' | 'mail' | 'storage'

/** The steps of a new installation, and which of them are done. */
export const stepsOf = (known: Known): { name: StepName; isDone: boolean }[] => [
  { name: 'plugin', isDone: known.plugins > 0 },
  { name: 'user', isDone: known.users > 1 },
  { name: 'key', isDone: known.keys > 0 },
  { name: 'mail', isDone: known.sendsMail },
  { name: 'storage', isDone: known.hasCloudStorage },
]
