import type { ColumnDescription } from '@/lib/entities/column-contract'
import type { Json } from '@/lib/json'

export type { ColumnDescription }

/** A record as the API answers it. */
export type EntityRecord = { persistenceId: string; [field: string]: Json }
