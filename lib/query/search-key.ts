import { exactJsonText } from '@/lib/values/exact-json'

/** The search object, as far as the console writes it. */
export type Search = {
  fields?: string[]
  query?: unknown[]
  /** Text search; without a sort the best matches come first. */
  q?: string
  corrections?: boolean
  /** Lists of related records. */
  expand?: { relation: string; fields: string[]; limit: number }[]
  sort?: { field: string; direction: 'asc' | 'desc' }[]
  pagination?: { page: number; size: number }
  count?: 'exact' | 'estimated' | 'none'
}

/**
 * The query key of a search, on the server and in the browser. It holds the search as text, since
 * keys go from one to the other as plain values.
 */
export const searchKey = (entity: string, search: Search) =>
  ['search', entity, exactJsonText(search)] as const
