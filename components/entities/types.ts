import type { ColumnDescription } from '@/lib/tables/column-contract'
import type { ExactJson } from '@/lib/values/exact-json'

export type { ColumnDescription }

/** A record as the API returns it, its numbers with all their digits. */
export type EntityRecord = { persistenceId: string; [field: string]: ExactJson }
