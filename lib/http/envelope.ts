import { STATUS_CODES } from 'node:http'
import { type Json, stringifyExactly } from '@/lib/values/json'

/** JSON text that is passed through unchanged, such as pages of records from the database. */
export class JsonText {
  constructor(readonly text: string) {}
}

export type Pagination = {
  /** Null after a cursor. */
  current: number | null
  total: number | null
  pages: number | null
  first: boolean
  last: boolean
  next?: string
}

/** The result of a handler: `data` is an array, or the text of one. */
export type Reply = {
  data: readonly unknown[] | JsonText
  status?: number
  meta?: Record<string, unknown>
  pagination?: Pagination
  headers?: Record<string, string>
}

/** `{ data, timestamp, code, status, meta, pagination? }`. */
export function envelope({ data, status = 200, meta = {}, pagination, headers }: Reply): Response {
  const rest = { timestamp: Date.now(), code: status, status: reason(status), meta, pagination }
  const dataText = data instanceof JsonText ? data.text : JSON.stringify(data)
  return new Response(`{"data":${dataText},${stringifyExactly(rest as Json).slice(1)}`, {
    status,
    headers: { ...JSON_HEADERS, ...headers },
  })
}

export const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** `404` → `NOT_FOUND`. */
export const reason = (status: number): string =>
  (STATUS_CODES[status] ?? 'Unknown').toUpperCase().replace(/[^A-Z]+/g, '_')
