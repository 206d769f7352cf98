import type { Condition, FieldCondition } from '@/components/data-table/filter/condition'
import { isGroup } from '@/components/data-table/filter/condition'
import type { FilterField } from '@/components/data-table/filter/field'
import { listSearch } from '@/components/lists/list-query'
import type { Search } from '@/lib/query/search-key'
import { exactJsonText } from '@/lib/values/exact-json'

/** What images can be filtered by. */
export const IMAGE_FIELDS: FilterField[] = [
  { name: 'name', label: 'Name', kind: 'text' },
  { name: 'folder', label: 'Folder', kind: 'text' },
  { name: 'tags', label: 'Tags', kind: 'array' },
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

/** The request of the images page; the newest come first unless sorted otherwise. */
export const imagesSearch = listSearch({
  searchIn: ['name', 'publicId'],
  order: { field: 'createdAt', direction: 'desc' },
})

export const imagesKey = (search: Search) => ['images', exactJsonText(search)] as const
export const FACETS_KEY = ['image-facets'] as const

/** What one pick of a value narrows by: `tags` is a list, which has the value. */
export type FacetField = 'folder' | 'tags' | 'format'
const operatorOf = (field: FacetField) => (field === 'tags' ? 'contains' : 'eq')

const isFacet = (condition: Condition, field: FacetField): condition is FieldCondition =>
  !isGroup(condition) && condition.field === field && condition.operator === operatorOf(field)

/** The value that the filter narrows `field` to; null without one. */
export function facetValue(filter: readonly Condition[], field: FacetField): string | null {
  const found = filter.find((condition) => isFacet(condition, field)) as FieldCondition | undefined
  return typeof found?.value === 'string' ? found.value : null
}

/** The filter with `field` narrowed to `value`, or no longer narrowed. */
export function withFacet(
  filter: readonly Condition[],
  field: FacetField,
  value: string | null,
): Condition[] {
  const rest = filter.filter((condition) => !isFacet(condition, field))
  return value === null ? rest : [...rest, { field, operator: operatorOf(field), value }]
}
