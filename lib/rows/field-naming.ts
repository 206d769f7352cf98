/**
 * How a request names the fields of its records: `name` for a single record, `records.3.name`, or below the JSON pointers
 * that lead to the records.
 */
export type FieldNaming = 'single' | 'batch' | readonly string[]

/** RFC 6901 pointer to a record of the request. */
export function placeOf(naming: FieldNaming, index: number): string {
  if (typeof naming !== 'string') return naming[index] ?? ''
  return naming === 'batch' ? `/records/${index}` : ''
}

/** A field of a record as the request names it; `pointer` and `name` say the same field within the record, or none. */
export function nameIn(
  naming: FieldNaming,
  index: number | undefined,
  { pointer, name }: { pointer: string; name: string },
): string {
  if (typeof naming !== 'string') return `${placeOf(naming, index ?? -1)}${pointer}`
  const record = naming === 'batch' && index !== undefined ? `records.${index}` : ''
  return [record, name].filter(Boolean).join('.')
}
