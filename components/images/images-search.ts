import {
  type Condition,
  type FieldCondition,
  isField,
} from '@/components/data-table/filter/condition'
import type { FilterField } from '@/components/data-table/filter/field'
import { within, withinOf } from '@/components/data-table/filter/within'
import { type ListParams, toQuery } from '@/components/data-table/list-params'
import { listSearch } from '@/components/lists/list-query'
import type { Search } from '@/lib/query/search-key'
import { exactJsonText } from '@/lib/values/exact-json'

const ALT = 'context.alt'

/** What images can be filtered by. */
export const IMAGE_FIELDS: FilterField[] = [
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'folder', label: 'Folder', kind: 'text' },
  { name: 'tags', label: 'Tags', kind: 'array' },
  { name: ALT, label: 'Alternative text', kind: 'text' },
  {
    name: 'format',
    label: 'Format',
    kind: 'text',
    enum: ['png', 'jpg', 'gif', 'webp', 'avif'],
  },
  { name: 'width', label: 'Width', kind: 'integer' },
  { name: 'height', label: 'Height', kind: 'integer' },
  { name: 'bytes', label: 'Bytes', kind: 'integer' },
  { name: 'createdBy', label: 'Uploaded by', kind: 'text', user: 'email' },
  { name: 'createdAt', label: 'Uploaded', kind: 'datetime' },
  { name: 'updatedAt', label: 'Changed', kind: 'datetime' },
]

const SEARCH_IN = ['name', 'publicId']

/** The request of the images page; the newest come first unless sorted otherwise. */
export const imagesSearch = listSearch({
  searchIn: SEARCH_IN,
  order: { field: 'createdAt', direction: 'desc' },
})

/** Its conditions alone. */
export const imagesQuery = (params: Pick<ListParams, 'q' | 'filter'>): Condition[] =>
  toQuery(params, SEARCH_IN)

export const imagesKey = (search: Search) => ['images', exactJsonText(search)] as const
export const FACETS_KEY = ['image-facets'] as const

/** What one pick of a value narrows by: `tags` is a list, which has the value. */
export type FacetField = 'folder' | 'tags' | 'format'
const operatorOf = (field: FacetField) => (field === 'tags' ? 'contains' : 'eq')

/** The value that a condition narrows `field` to; null when it does something else. */
function narrowedTo(condition: Condition, field: FacetField): string | null {
  const folder = withinOf(condition)
  if (folder) return folder.field === field ? folder.path : null
  const isFacet =
    isField(condition) && condition.field === field && condition.operator === operatorOf(field)
  return isFacet && typeof condition.value === 'string' ? condition.value : null
}

/** The value that the filter narrows `field` to; null without one. */
export function facetValue(filter: readonly Condition[], field: FacetField): string | null {
  const values = filter.map((condition) => narrowedTo(condition, field))
  return values.find((value) => value !== null) ?? null
}

/** The filter with `field` narrowed to `value`, or no longer narrowed. A folder stands for those below it, too. */
export function withFacet(
  filter: readonly Condition[],
  field: FacetField,
  value: string | null,
): Condition[] {
  const rest = filter.filter((condition) => narrowedTo(condition, field) === null)
  if (value === null) return rest
  if (field === 'folder' && value !== '') return [...rest, within(field, value)]
  return [...rest, { field, operator: operatorOf(field), value }]
}

const WITHOUT_ALT: FieldCondition = { field: ALT, operator: 'isnull' }

const isWithoutAlt = (condition: Condition): boolean =>
  isField(condition) && condition.field === ALT && condition.operator === 'isnull'

/** Whether the filter shows only images without alternative text. */
export const showsWithoutAlt = (filter: readonly Condition[]): boolean => filter.some(isWithoutAlt)

/** The filter that shows only images without alternative text, or no longer only these. */
export function withoutAlt(filter: readonly Condition[], only: boolean): Condition[] {
  const rest = filter.filter((condition) => !isWithoutAlt(condition))
  return only ? [...rest, WITHOUT_ALT] : rest
}
