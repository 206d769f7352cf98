import type { Json } from '@/lib/values/json'

/** What a record breaks. `empty`: records may not be stored at all; `value`: anything else. */
export const FAULT_RULES = [
  'type',
  'enum',
  'min',
  'max',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'required',
  'unique',
  'key',
  'reference',
  'undeclared',
  'computed',
  'size',
  'conflict',
  'empty',
  'value',
] as const
export type FaultRule = (typeof FAULT_RULES)[number]

/** Conditions of the search object, as in an address of the console. */
export type FaultFilter = { field: string; operator: string; value?: Json }[]

/** The faults of a file by one rule in one field, and with one value where they have few. */
export type FaultGroup = {
  /** Whose stored records are at fault; null: those of the file. */
  entity: string | null
  rule: FaultRule
  field: string | null
  /** What all of them have; absent when it differs. */
  value?: Json
  /** Some of the values where they differ. */
  examples?: Json[]
  /** What the rule allows: values, a limit, a pattern, the name of a type, format or entity. */
  allowed?: Json
  /** The rule in words. */
  message: string
  /** The number of all. */
  total: number
  /** Of the first stored records; an object for a key of several fields. */
  keys: Json[]
  /** Of the first records of the file, from 0. */
  indexes: number[]
  /** Finds exactly the stored records; null where no search does. */
  filter: FaultFilter | null
}

/** Most values that get a group each; with more of them, one group has all. */
export const MAX_VALUES = 10
/** Most keys, indexes or examples of a group. */
export const MAX_SHOWN = 10
/** Most allowed values that a group names. */
export const MAX_ALLOWED = 100
