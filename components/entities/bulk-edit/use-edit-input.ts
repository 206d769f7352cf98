import { useState } from 'react'
import type { ExactJson } from '@/lib/values/exact-json'
import { type Draft, parseText } from '../draft'
import type { ColumnDescription } from '../types'
import { editableColumns, type Operation, operationsOf, readChange } from './operations'

type State = {
  column: ColumnDescription | null
  operation: Operation
  /** Of the operand, by field: a reference of several parts sets several. */
  texts: Draft
}

const NOTHING: State = { column: null, operation: 'set', texts: {} }

/** What is to be changed: the field, the operation and its operand. */
export function useEditInput(columns: readonly ColumnDescription[]) {
  const [{ column, operation, texts }, setState] = useState(NOTHING)
  const read = column && readChange(column, operation, texts[column.name] ?? '')
  return {
    fields: editableColumns(columns),
    operations: column ? operationsOf(column, columns) : [],
    column,
    operation,
    texts,
    /** More was given than the field. */
    isDirty: operation !== 'set' || Object.values(texts).some((text) => text !== ''),
    /** `set` of the API; null while something is missing or wrong. */
    set: column && read && 'value' in read ? withOthers(column, read.value, texts, columns) : null,
    error: read && 'error' in read ? read.error : null,
    chooseField: (name: string) =>
      setState({ ...NOTHING, column: columns.find((one) => one.name === name) ?? null }),
    chooseOperation: (next: Operation) =>
      setState((state) => ({ ...state, operation: next, texts: {} })),
    setTexts: (changed: Draft) =>
      setState((state) => ({ ...state, texts: { ...state.texts, ...changed } })),
  }
}

export type EditInput = ReturnType<typeof useEditInput>

function withOthers(
  column: ColumnDescription,
  value: ExactJson,
  texts: Draft,
  columns: readonly ColumnDescription[],
): Record<string, ExactJson> {
  const others = columns.flatMap((one): [string, ExactJson][] => {
    const text = one.name === column.name ? undefined : texts[one.name]
    const parsed = text === undefined ? null : parseText(text, one)
    return parsed && 'value' in parsed ? [[one.name, parsed.value]] : []
  })
  return { [column.name]: value, ...Object.fromEntries(others) }
}
