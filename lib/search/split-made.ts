import { joinPart, splitPart, valuesOfPart } from '@/lib/db/compiled-statement'
import type { FieldRef, OutputField, ResolvedSearch } from './resolved'

/**
 * The search with placeholders in place of the values of what is made for one request, such as the distance from a place, and
 * these values by their names.
 */
export function splitMade(search: ResolvedSearch): {
  search: ResolvedSearch
  made: Record<string, string>
} {
  const { sort, fields } = search
  const made: Record<string, string> = {}
  if (!sort.some(isMade) && !fields?.some(isMade)) return { search, made }
  let count = 0
  const split = (field: FieldRef): FieldRef => {
    if (!field.made) return field
    const part = splitPart(field.made.value)
    const name = `made${count++}_`
    Object.assign(made, valuesOfPart(part, name))
    return { ...field, made: { value: joinPart(part, name), toJSON: () => part.text } }
  }
  const ofFields = fields?.map((one) =>
    one.type === 'field' ? { ...one, field: split(one.field) } : one,
  )
  const ofSort = sort.map((one) => ({ ...one, field: split(one.field) }))
  return { search: { ...search, sort: ofSort, fields: ofFields ?? null }, made }
}

const isMade = (one: OutputField | { field: FieldRef }): boolean =>
  'field' in one && one.field.made !== undefined
