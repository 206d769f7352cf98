import type { ColumnDescription } from '@/lib/entities/describe-columns'
import type { Json } from '@/lib/json'

export type { ColumnDescription }

/** A record as the API answers it. */
export type EntityRecord = { persistenceId: string; [field: string]: Json }
