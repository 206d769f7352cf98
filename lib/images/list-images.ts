import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import type { SearchPage } from '@/lib/search/points'
import type { SearchInput } from '@/lib/search/search-input'
import { searchRecords } from '@/lib/search/search-records'

/** The default fields. Other searchable fields, such as `createdBy`, are returned on request. */
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
  'crop',
  'focalPoint',
  'createdAt',
  'updatedAt',
  'persistenceId',
]

const NEWEST_FIRST: SearchInput['sort'] = [{ field: 'createdAt', direction: 'desc' }]

/** A page of images, the newest first unless the search sorts; throws as `searchRecords` does. */
export async function listImages(
  deps: Deps,
  input: SearchInput,
  actor: Actor,
): Promise<SearchPage> {
  const sort = input.sort.length > 0 ? input.sort : NEWEST_FIRST
  const fields = input.fields?.length ? input.fields : RECORD_FIELDS
  return searchRecords(deps, 'EngineFiles', { ...input, sort, fields }, actor)
}
