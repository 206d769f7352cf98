import type { ReactNode } from 'react'
import type { Loading } from '@/components/data-table/data-table'
import type { Display, ListParams } from '@/components/data-table/list-params'
import type { ListState } from '@/components/data-table/use-list-state'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { DISPLAYS } from '@/lib/definitions/display-forms'
import { isAnyJsonKind, isJsonKind, isListKind, isPlaceKind, isTextKind } from '@/lib/kinds/kind'
import { fieldFor } from '../display-role'
import { type LocationFields, locationFields } from '../location'
import { refersToImage } from '../own-image'
import type { ColumnDescription, EntityRecord } from '../types'

const IMAGE =
  /(image|img|photo|picture|avatar|logo|cover|thumb(nail)?|poster|icon)(_?(url|uri|src))?$/i
const IMAGES = /(images|photos|pictures)$/i
const PLACE = /(location|position|coordinates?|geo(point)?|point|place)$/i
const AUDIT = /^(created|updated|modified|deleted)_?(at|on)$/i

/** The field with images: the definition's, one that refers to images, else one that is named for them. */
export function imageField(columns: readonly ColumnDescription[]): string | null {
  const found =
    fieldFor('image', columns) ??
    columns.find(({ rules }) => refersToImage(rules.reference)) ??
    columns.find(
      ({ kind, name, rules }) => isTextKind(kind) && !rules.reference && IMAGE.test(name),
    ) ??
    columns.find(({ kind, name }) => (isListKind(kind) || isAnyJsonKind(kind)) && IMAGES.test(name))
  return found?.name ?? null
}

/** Fields with days or times, the definition's first; those that the engine or habit keeps of each record come last. */
export function dateFields(columns: readonly ColumnDescription[]): ColumnDescription[] {
  const dates = columns.filter(({ kind }) => CONSOLE_KINDS[kind].moment !== null)
  const isUsual = ({ name }: ColumnDescription) => AUDIT.test(name)
  const own = fieldFor('date', dates)
  const others = dates.filter((column) => column !== own)
  return [
    ...(own ? [own] : []),
    ...others.filter((column) => !isUsual(column)),
    ...others.filter(isUsual),
  ]
}

/** The field that a calendar shows the days of: the chosen one, else the first. */
export const dateField = (columns: readonly ColumnDescription[], by?: string | null) =>
  dateFields(columns).find(({ name }) => name === by) ?? dateFields(columns)[0] ?? null

/** Where a record says what place it is at: in two numbers, or in one object. */
export type PlaceFields = LocationFields | { object: string }

export function placeFields(columns: readonly ColumnDescription[]): PlaceFields | null {
  const place = fieldFor('place', columns)
  if (place) return { object: place.name }
  const known = columns.find(({ kind }) => isPlaceKind(kind))
  if (known) return { object: known.name }
  const [latitude, longitude] = [fieldFor('latitude', columns), fieldFor('longitude', columns)]
  if (latitude && longitude) return { latitude: latitude.name, longitude: longitude.name }
  const [pair] = locationFields(columns)
  if (pair) return pair
  const object = columns.find(
    ({ kind, name }) => isJsonKind(kind) && !isListKind(kind) && PLACE.test(name),
  )
  return object ? { object: object.name } : null
}

const SUPPORTED: Record<Display, (columns: readonly ColumnDescription[]) => boolean> = {
  table: () => true,
  cards: (columns) => imageField(columns) !== null,
  calendar: (columns) => dateField(columns) !== null,
  map: (columns) => placeFields(columns) !== null,
}

/** The forms in which records of these fields can be shown. */
export const displaysOf = (columns: readonly ColumnDescription[]): Display[] =>
  DISPLAYS.filter((display) => SUPPORTED[display](columns))

/** The one that the address asks for, else the table. */
export const displayOf = (
  columns: readonly ColumnDescription[],
  { display = 'table' }: Pick<ListParams, 'display'>,
): Display => (SUPPORTED[display](columns) ? display : 'table')

/** What a form of showing records other than the table is given. */
export type DisplayProps = {
  entity: string
  columns: ColumnDescription[]
  /** The chosen columns of other entities. */
  related: ColumnDescription[]
  list: ListState
  rows: readonly EntityRecord[]
  /** Of all records that match; null while it is not known. */
  total: number | null
  loading: Loading
  selection: RowSelection
  onOpen: (id: string) => void
  onEdit?: (id: string) => void
  /** Shown while there is nothing at all, filter or not. */
  empty: ReactNode
}
