import type { Change } from '@/components/record-history/history-queries'
import { changesOf, type Draft, parseText } from './draft'
import { editable, parseRecord } from './record-text'
import type { ColumnDescription, EntityRecord } from './types'

/** What the texts of a form would change in a record; a text that is no value of its field stands as it is. */
export function changesOfTexts(
  texts: Draft,
  record: EntityRecord,
  fields: readonly ColumnDescription[],
): Change[] {
  return fields.flatMap((column): Change[] => {
    const text = texts[column.name]
    if (text === undefined) return []
    const parsed = parseText(text, column)
    const after = 'value' in parsed ? parsed.value : text
    return [{ field: column.name, before: record[column.name] ?? null, after }]
  })
}

/** The same for a record that is edited as JSON; nothing while it can't be read. */
export function changesOfJson(json: string, record: EntityRecord): Change[] {
  const parsed = parseRecord(json)
  if (typeof parsed === 'string') return []
  return Object.entries(changesOf(editable(record), parsed)).map(([field, after]) => ({
    field,
    before: record[field] ?? null,
    after,
  }))
}
