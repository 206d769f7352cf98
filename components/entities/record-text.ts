import { type ExactJson, exactJsonText, isNested, parseExactJson } from '@/lib/values/exact-json'
import { AUDIT_FIELDS } from './draft'
import type { EntityRecord } from './types'

const KEPT = ['persistenceId', ...AUDIT_FIELDS]

/** The editable part of the record, without its address and the fields that the server maintains. */
export const editable = (record: EntityRecord | null): Record<string, ExactJson> =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !KEPT.includes(name)))

/** The record as it is edited as JSON. */
export const recordText = (record: EntityRecord | null): string =>
  exactJsonText(editable(record), 2)

/** The record that a text holds, or what is wrong with it. */
export function parseRecord(text: string): Record<string, ExactJson> | string {
  try {
    const value = parseExactJson(text)
    const isRecord = isNested(value) && !Array.isArray(value)
    return isRecord ? value : 'A record is a JSON object: { … }'
  } catch (error) {
    return `Not valid JSON: ${(error as Error).message}`
  }
}
