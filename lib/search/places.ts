import { type SQL, sql } from 'drizzle-orm'
import { PLACE_FORMS, type PlaceOperator, placeNumbers } from '@/lib/definitions/place-operators'
import type { Literal, ScalarLiteral } from '@/lib/kinds/field-kind'
import { isPlaceKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { coordinatesSql, pointSql } from '@/lib/kinds/location'
import type { Json } from '@/lib/values/json'
import { shorten } from '@/lib/values/unknown-name'
import { type Box, boxesAround, boxesWithin, EARTH_RADIUS_KM } from './boxes'
import { BadValue } from './convert-value'
import type { FieldResolver } from './resolve-field'
import type { FieldRef, Resolved } from './resolved'
import { columnSql, valueSql } from './sql-terms'

/** Reads the numbers of a condition, typed or as text. Throws `BadValue`, which names the form. */
export function readPlace(
  { name }: FieldRef,
  operator: PlaceOperator,
  value: Json | undefined,
): Literal[] {
  const numbers = placeNumbers(operator, value)
  if (numbers) return numbers.map((number) => ({ type: 'float8', text: String(number) }))
  const shown = shorten(JSON.stringify(value ?? null))
  throw new BadValue(
    `"${operator}" of "${name}" takes ${PLACE_FORMS[operator].form}; ${shown} is not that`,
  )
}

/** By an index on points, then exactly. */
export function nearSql(field: FieldRef, values: ScalarLiteral[]): SQL {
  const [lat = 0, lon = 0, km = 0] = values.map(({ text }) => Number(text))
  const boxes = boxesAround({ lat, lon }, km)
  const [, , most] = values
  const isNear = sql`${distanceSql(field, values)} <= ${most ? valueSql(most) : sql`null`}`
  // `least` passes nulls over, so the distance of no place is one.
  const isThere = boxes ? inBoxes(field, boxes) : sql`${columnSql(field)} is not null`
  return sql`(${isThere} and ${isNear})`
}

export function withinSql(field: FieldRef, values: ScalarLiteral[]): SQL {
  const [south = 0, west = 0, north = 0, east = 0] = values.map(({ text }) => Number(text))
  return inBoxes(field, boxesWithin({ south, west, north, east }))
}

function inBoxes(field: FieldRef, boxes: readonly Box[]): SQL {
  const point = pointSql(columnSql(field))
  const tests = boxes.map(
    ({ south, west, north, east }) =>
      sql`${point} <@ box(${corner(west, south)}, ${corner(east, north)})`,
  )
  return sql`(${sql.join(tests, sql` or `)})`
}

const corner = (x: number, y: number): SQL => sql`point(${number(x)}, ${number(y)})`

const number = (value: number): SQL => valueSql({ type: 'float8', text: String(value) })

/** In km along a great circle (haversine) of a sphere, from the latitude and longitude that come first. */
function distanceSql(field: FieldRef, [lat, lon]: readonly ScalarLiteral[]): SQL {
  if (!lat || !lon) throw new Error('A resolved condition lacks its place')
  const own = coordinatesSql(columnSql(field))
  const [from, to] = [sql`radians(${valueSql(lat)})`, sql`radians(${own.lat})`]
  const half = (difference: SQL) => sql`power(sin((${difference}) / 2), 2)`
  const meridians = half(sql`radians(${own.lon} - ${valueSql(lon)})`)
  const chord = sql`${half(sql`${to} - ${from}`)} + cos(${from}) * cos(${to}) * ${meridians}`
  return sql`(${sql.raw(String(2 * EARTH_RADIUS_KM))} * asin(sqrt(least(1, ${chord}))))`
}

const DISTANCE = '.$distance'

/**
 * Looks up `place.$distance` too: how far the record is from the place of the condition `near` on that field. `where`: the
 * conditions of the request, all of which must hold, so that each record has a distance; never those of a rule.
 */
export function withDistances(fieldOf: FieldResolver, where: readonly Resolved[]): FieldResolver {
  const find = (name: string): ReturnType<FieldResolver> => {
    if (!name.endsWith(DISTANCE)) return fieldOf(name)
    const field = fieldOf(name.slice(0, -DISTANCE.length))
    if ('fault' in field) return field
    if (!isPlaceKind(field.kind))
      return {
        fault: `"${name}" needs a location, and "${field.name}" is ${KINDS[field.kind].words('')}`,
      }
    const near = where.flatMap(nearOf).find((one) => one.field.name === field.name)
    if (!near)
      return {
        fault: `"${name}" needs the condition "near" on "${field.name}", which all records meet`,
      }
    return distanceOf(name, near)
  }
  return Object.assign(find, fieldOf)
}

type Test = Resolved & { type: 'test' }

function nearOf(condition: Resolved): Test[] {
  if (condition.type === 'and') return condition.of.flatMap(nearOf)
  return condition.type === 'test' && condition.operator === 'near' ? [condition] : []
}

function distanceOf(name: string, { field, values }: Test): FieldRef {
  const from = values.filter((value): value is ScalarLiteral => value.type !== 'json').slice(0, 2)
  const toJSON = () => [field, from]
  const made = { value: distanceSql(field, from), toJSON }
  return { name, column: '', path: [], kind: 'float', nullable: false, isJoined: true, made }
}
