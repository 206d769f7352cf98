import type { JsonObject } from '@/lib/values/json'

/**
 * A definition as the author of its plugin gave it last, where it was changed here since; null: it was made here. It
 * is stored beside the definition, so that whatever takes that back, or away, does so with both.
 */
export type Authored = { definition: JsonObject | null }
