import { type Json, literalOf } from '@/lib/values/json'
import { MAX_LATITUDE, MAX_LONGITUDE, plainDegrees } from '@/lib/values/location'
import { isNumericText } from '@/lib/values/numeric-text'
import { OPERATORS, type OperatorName } from './operators'

/** Operators that ask where a location is. */
export type PlaceOperator = {
  [Name in OperatorName]: (typeof OPERATORS)[Name]['family'] extends 'place' ? Name : never
}[OperatorName]

export const isPlaceOperator = (name: OperatorName): name is PlaceOperator =>
  OPERATORS[name].family === 'place'

/** More than half of the circumference of the earth: from here on, each place is near each other. */
const MAX_KM = 20_040

type Part = { label: string; least: number; most: number }

const latitude = (label: string): Part => ({ label, least: -MAX_LATITUDE, most: MAX_LATITUDE })
const longitude = (label: string): Part => ({ label, least: -MAX_LONGITUDE, most: MAX_LONGITUDE })

/** What the values of a condition are, in their order, and the form in words. */
export const PLACE_FORMS: Record<PlaceOperator, { form: string; parts: readonly Part[] }> = {
  near: {
    form: `lat|lon|km: degrees, and more than 0 and at most ${MAX_KM} km`,
    parts: [
      latitude('Latitude'),
      longitude('Longitude'),
      { label: 'Kilometres', least: Number.MIN_VALUE, most: MAX_KM },
    ],
  },
  within: {
    form: 'south|west|north|east: degrees, the south not above the north',
    parts: [latitude('South'), longitude('West'), latitude('North'), longitude('East')],
  },
}

/** The numbers of a condition, typed or as text; null where they are not of its form. */
export function placeNumbers(operator: PlaceOperator, value: Json | undefined): number[] | null {
  const { parts } = PLACE_FORMS[operator]
  if (!Array.isArray(value) || value.length !== parts.length) return null
  const numbers = value.map(numberIn)
  const fits = parts.every(({ least, most }, at) => {
    const number = numbers[at] ?? Number.NaN
    return number >= least && number <= most
  })
  const [south = 0, , north = 0] = numbers
  return fits && (operator === 'near' || south <= north) ? numbers : null
}

function numberIn(value: Json): number {
  const text = literalOf(value) ?? value
  const isNumber =
    typeof text === 'number' || (typeof text === 'string' && isNumericText(text.trim()))
  return isNumber ? plainDegrees(Number(text)) : Number.NaN
}
