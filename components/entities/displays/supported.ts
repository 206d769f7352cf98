import { DISPLAYS, type Display, type ListParams } from '@/components/data-table/list-params'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { isAnyJsonKind, isJsonKind, isListKind, isTextKind } from '@/lib/kinds/kind'
import { type LocationFields, locationFields } from '../location'
import { refersToImage } from '../own-image'
import type { ColumnDescription } from '../types'

const IMAGE =
  /(image|img|photo|picture|avatar|logo|cover|thumb(nail)?|poster|icon)(_?(url|uri|src))?$/i
const IMAGES = /(images|photos|pictures)$/i
const PLACE = /(location|position|coordinates?|geo(point)?|point|place)$/i
const AUDIT = /^(created|updated|modified|deleted)_?(at|on)$/i

/** The field with images: one that refers to images, else one that is named for them. */
export function imageField(columns: readonly ColumnDescription[]): string | null {
  const found =
    columns.find(({ rules }) => refersToImage(rules.reference)) ??
    columns.find(
      ({ kind, name, rules }) => isTextKind(kind) && !rules.reference && IMAGE.test(name),
    ) ??
    columns.find(({ kind, name }) => (isListKind(kind) || isAnyJsonKind(kind)) && IMAGES.test(name))
  return found?.name ?? null
}

/** Fields with days or times; those that the engine or habit keeps of each record come last. */
export function dateFields(columns: readonly ColumnDescription[]): ColumnDescription[] {
  const dates = columns.filter(({ kind }) => CONSOLE_KINDS[kind].moment !== null)
  const isUsual = ({ name }: ColumnDescription) => AUDIT.test(name)
  return [...dates.filter((column) => !isUsual(column)), ...dates.filter(isUsual)]
}

/** The field that a calendar shows the days of: the chosen one, else the first. */
export const dateField = (columns: readonly ColumnDescription[], by?: string | null) =>
  dateFields(columns).find(({ name }) => name === by) ?? dateFields(columns)[0] ?? null

/** Where a record says what place it is at: in two numbers, or in one object. */
export type PlaceFields = LocationFields | { object: string }

export function placeFields(columns: readonly ColumnDescription[]): PlaceFields | null {
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
