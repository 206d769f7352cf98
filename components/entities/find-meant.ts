import type { FieldReference } from '@/lib/definitions/definition'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import type { Search } from '@/lib/query/search-key'
import { plainText } from '@/lib/values/exact-json'
import { columnsOptions, entityPath } from './entity-queries'
import { nameOf } from './record-title'
import { exactSearch, suggestionSearch } from './suggestion-search'
import type { EntityRecord } from './types'

/**
 * The records that a typed text may mean: those with that id, else with that name, else all that are suggested for
 * it, up to 20. Null where they can't be searched. Throws `ApiError`.
 */
export async function findMeant(
  reference: FieldReference,
  text: string,
): Promise<EntityRecord[] | null> {
  const { entity, field } = reference
  const { data: columns } = await getQueryClient().fetchQuery(columnsOptions(entity))
  const exact = await read(entity, exactSearch(columns, reference, text))
  if (!exact) return null
  const withId = exact.filter((record) => plainText(record[field]) === text)
  if (withId.length > 0) return withId
  const wanted = text.toLowerCase()
  const named = exact.filter((record) => nameOf(record, columns)?.toLowerCase() === wanted)
  return named.length > 0 ? named : read(entity, suggestionSearch(columns, reference, text))
}

async function read(entity: string, search: Search | null): Promise<EntityRecord[] | null> {
  if (!search) return null
  const path = entityPath(entity, '/search')
  return (await api<EntityRecord>(path, { method: 'POST', body: search })).data
}
