import 'server-only'
import type { SearchInput } from '@/lib/entities/search/search-input'
import { type SearchPage, searchRecords } from '@/lib/entities/search-records'
import type { Deps } from '@/lib/runtime'
import { absoluteUri } from './to-image'

/** Those of the image record. Others that can be searched, such as `createdBy`, come when asked for. */
const RECORD_FIELDS = [
  'fileId',
  'id',
  'publicId',
  'name',
  'mediaType',
  'uri',
  'secureUri',
  'bytes',
  'format',
  'folder',
  'width',
  'height',
  'tags',
  'context',
  'createdAt',
  'updatedAt',
  'persistenceId',
]

const NEWEST_FIRST: SearchInput['sort'] = [{ field: 'createdAt', direction: 'desc' }]

/** A page of images, the newest first unless the search sorts; throws as `searchRecords` does. */
export async function listImages(
  deps: Deps,
  input: SearchInput,
  appUrl: string,
): Promise<Omit<SearchPage, 'data'> & { data: object[] }> {
  const sort = input.sort.length > 0 ? input.sort : NEWEST_FIRST
  const fields = input.fields?.length ? input.fields : RECORD_FIELDS
  const page = await searchRecords(deps, 'EngineFiles', { ...input, sort, fields })
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
