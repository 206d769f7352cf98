import 'server-only'
import type { SearchQuery } from '@/lib/entities/contract'
import { inputOfQuery } from '@/lib/entities/search/read-input'
import { type SearchPage, searchRecords } from '@/lib/entities/search-records'
import type { Deps } from '@/lib/runtime'
import { absoluteUri } from './to-image'

/** Those of the image record. Others that can be searched, such as `createdBy`, come when asked for. */
const RECORD_FIELDS =
  'fileId,id,publicId,name,mediaType,uri,secureUri,bytes,format,folder,width,height,tags,context,createdAt,updatedAt,persistenceId'

/** A page of images, the newest first unless the query sorts; throws as `searchRecords` does. */
export async function listImages(
  deps: Deps,
  query: SearchQuery,
  appUrl: string,
): Promise<Omit<SearchPage, 'data'> & { data: object[] }> {
  const sort = query.sort || 'createdAt:desc'
  const fields = query.fields || RECORD_FIELDS
  const page = await searchRecords(deps, 'EngineFiles', inputOfQuery({ ...query, sort, fields }))
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
