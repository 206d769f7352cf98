import { useState } from 'react'
import { useDraft } from '@/components/drafts/use-draft'
import type { Change } from '@/components/record-history/history-queries'
import { exactJsonText } from '@/lib/values/exact-json'
import { changedTexts, changesOf, type Draft, draftOf, parseText } from './draft'
import { editable, parseRecord, recordText } from './record-text'
import { newOf, titleOf } from './record-title'
import type { ColumnDescription, EntityRecord } from './types'

type Mode = 'form' | 'json'

/** What is kept of unsaved input: the texts of changed fields, changed values as JSON, or text that is no JSON yet. */
type Kept = { fields?: Draft; changes?: string; json?: string }

type Options = {
  entity: string
  columns: readonly ColumnDescription[]
  /** Those with a control. */
  fields: readonly ColumnDescription[]
  /** Null for a new one. */
  record: EntityRecord | null
  etag?: string
  /** What a new one begins with, by field; not input that could be lost. */
  initial: Draft | null
}

/** What is typed into the form of a record, or into its JSON, with its draft. */
export function useRecordInput({ entity, columns, fields, record, etag, initial }: Options) {
  const before = record ? draftOf(record, fields) : null
  const start = before ?? initial ?? {}
  const [mode, setMode] = useState<Mode>('form')
  const [texts, setTexts] = useState<Draft>(start)
  const [json, setJson] = useState(() => recordText(record))
  const [drafted, setDrafted] = useState<readonly string[]>([])
  const { leave, settle, restored } = useDraft<Kept>({
    form: `record ${entity} ${record?.persistenceId ?? ''}`,
    what: record
      ? `The changes of ${titleOf(record, columns)} are not saved yet.`
      : `${newOf(entity)} is not saved yet.`,
    values: mode === 'json' ? keptOfJson(json, record) : keptOfTexts(texts, start),
    version: etag,
    restore: (kept) => {
      if (kept.fields) setTexts((all) => ({ ...all, ...kept.fields }))
      else setMode('json')
      const changes = kept.changes === undefined ? null : parseRecord(kept.changes)
      setDrafted(Object.keys(kept.fields ?? changes ?? {}))
      if (kept.json !== undefined) setJson(kept.json)
      else if (changes && typeof changes !== 'string')
        setJson(exactJsonText({ ...editable(record), ...changes }, 2))
    },
    reset: () => {
      setTexts(start)
      setJson(recordText(record))
    },
  })
  const differing = () => {
    if (!record || !restored?.isOutdated) return []
    if (mode === 'json') return changesOfJson(json, record)
    return changesOfTexts(changedTexts(texts, before ?? {}) ?? {}, record, fields)
  }
  return {
    before,
    mode,
    /** Form and JSON are two inputs: what one of them holds unsaved is lost with the change. */
    setMode: (next: Mode) => leave(() => setMode(next)),
    texts,
    setTexts: (changed: Draft) => setTexts((all) => ({ ...all, ...changed })),
    json,
    setJson,
    leave,
    settle,
    restored,
    /** How what was drafted differs from the stored record, where that has changed since. */
    difference: differing().filter(({ field }) => drafted.includes(field)),
  }
}

function keptOfTexts(texts: Draft, before: Draft): Kept | null {
  const fields = changedTexts(texts, before)
  return fields && { fields }
}

/** Only what was changed, so that it can be shown over a later state of the record. */
function keptOfJson(text: string, record: EntityRecord | null): Kept | null {
  if (text === recordText(record)) return null
  const parsed = parseRecord(text)
  if (typeof parsed === 'string') return { json: text }
  const changes = changesOf(editable(record), parsed)
  return Object.keys(changes).length > 0 ? { changes: exactJsonText(changes) } : null
}

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
