import type { ExactJson } from '@/lib/values/exact-json'

/** Definitions as files of plugins have them. */
export type Meta = Record<string, ExactJson>

/** A field of a schema; `meta` has its rules. */
export type WrittenField = {
  name: string
  type: string
  label?: string
  renamedFrom?: ExactJson
  meta?: Meta
}

export type WrittenRule = { fields: readonly string[]; unique?: boolean; name?: string }

export type WrittenSchema = {
  name: string
  label?: string
  description?: string
  additionalProperties?: boolean
  unique?: readonly WrittenRule[]
  properties: readonly WrittenField[]
}

export type WrittenKey = {
  key: string
  strategy: string
  type: string
  renamedFrom?: readonly string[]
}

export type WrittenEntity = {
  name: string
  description?: string
  engineSchema?: string
  pks?: readonly WrittenKey[]
  insertDuplicate?: string
  updateStrategy?: string
  permissions?: Readonly<Record<string, boolean>>
  auditable?: boolean
  history?: boolean
  events?: boolean
  link?: boolean
  indexes?: readonly WrittenRule[]
  display?: Meta
}

/** Whether values that JSON can state are the same. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Without the keys that have no value. */
export const stated = <T extends object>(value: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

/** What was edited of `edited` since `former`, over `now`; where nothing was, `now`. */
export const editedOver = <T extends object>(edited: T, former: T, now: T): T => {
  const keys = Object.keys(former) as (keyof T)[]
  // Edits that an earlier version kept lack what it did not know.
  const parts = keys.filter((key) => edited[key] !== undefined && !isSame(edited[key], former[key]))
  return { ...now, ...Object.fromEntries(parts.map((key) => [key, edited[key]])) }
}
