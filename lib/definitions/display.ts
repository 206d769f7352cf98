import type { Json } from '@/lib/values/json'
import type { Display } from './display-forms'

/** What definitions say of how people see records. Values, and what the API returns, never depend on it. */

/** Colours of choices; their shades are the theme's, so that each can be read in light and dark. */
export const COLORS = [
  'blue',
  'green',
  'amber',
  'purple',
  'cyan',
  'pink',
  'lime',
  'red',
  'gray',
] as const
export type Color = (typeof COLORS)[number]

/** A value of `enum`, and how it is shown. */
export type Choice = { value: Json; label?: string; color?: Color }

export const NUMBER_STYLES = ['decimal', 'percent', 'currency', 'bytes'] as const

/** How numbers are written. Without `decimals` no digit is left out, but for those of a currency. */
export type NumberFormat = {
  /** Percents are of 1: `0.25` is `25%`. Absent: `decimal`. */
  style?: (typeof NUMBER_STYLES)[number]
  /** ISO 4217, of the style `currency` alone. */
  currency?: string
  /** Digits after the point, rounded. */
  decimals?: number
  /** False: no separators between thousands. */
  grouping?: boolean
}

export type FieldDisplay = {
  /** The values of `enum` that have a label or a colour. */
  choices?: Choice[]
  /** The section of the form. */
  group?: string
  /** What stands below the field in forms, in place of its description. */
  hint?: string
  /** Of the columns that lists show at first. */
  hidden?: { list: true }
  format?: NumberFormat
  /** Stands behind the number. */
  unit?: string
}

/** What a field is for records as they are shown. */
export const DISPLAY_ROLES = ['title', 'image', 'date', 'place', 'latitude', 'longitude'] as const
export type DisplayRole = (typeof DISPLAY_ROLES)[number]

export type EntityDisplay = {
  [role in DisplayRole]?: string
} & {
  /** The columns that lists show at first, in this order. */
  columns?: string[]
  /** The form in which lists open. */
  form?: Display
}
