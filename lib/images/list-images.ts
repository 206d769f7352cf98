import 'server-only'
import type { SearchQuery } from '@/lib/entities/contract'
import { inputOfQuery } from '@/lib/entities/search/read-input'
import { type SearchPage, searchRecords } from '@/lib/entities/search-records'
import type { Deps } from '@/lib/runtime'
import { absoluteUri } from './to-image'

/** A page of images, the newest first unless the query sorts; throws as `searchRecords` does. */
export async function listImages(
  deps: Deps,
  query: SearchQuery,
  appUrl: string,
): Promise<Omit<SearchPage, 'data'> & { data: object[] }> {
  const sort = query.sort || 'createdAt:desc'
  const page = await searchRecords(deps, 'EngineFiles', inputOfQuery({ ...query, sort }))
  const records = JSON.parse(page.data) as Record<string, unknown>[]
  return { ...page, data: records.map((record) => withAbsoluteUris(record, appUrl)) }
}

/** Only the fields that were asked for are there. */
function withAbsoluteUris(record: Record<string, unknown>, appUrl: string): object {
  const made = { ...record }
  for (const field of ['uri', 'secureUri'])
    if (typeof made[field] === 'string') made[field] = absoluteUri(made[field], appUrl)
  return made
}
